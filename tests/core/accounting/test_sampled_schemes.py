"""Sampled batches: schemes, references, schedules and targets, and what is refused."""

import math
from dataclasses import replace

import numpy as np
import pytest

from accounting import (
    SampledSGD,
    delta_gdp,
    epsilon_gdp,
    least_unlearning_steps,
    pabi_mu,
    sampled_epsilon,
    sampled_noise,
)
from accounting.sampled._blocks import Inclusions
from accounting.sampled.accountants import accounts
from accounting.sampled.patterns import patterns_epsilon

BASE = {
    "n": 569,
    "batch_size": 64,
    "steps": 180,
    "step_size": 0.5,
    "smoothness": 0.25,
    "ridge": 0.05,
}


def example(after, **changes):
    return SampledSGD(unlearning_steps=after, **{**BASE, **changes})


def test_schemes_with_one_pattern_are_the_contraction():
    full = example(3, n=64, sampling="full", steps=20)
    noise = 0.5 / 64 * 1.3
    mu = pabi_mu(0.975, [*[0.5 / 64] * 20, 0, 0, 0], noise)
    for accountant in ("mixture", "patterns", "exact"):
        assert sampled_epsilon(full, 1.3, 1e-5, accountant) == pytest.approx(
            float(epsilon_gdp(mu, 1e-5)), rel=1e-9
        )
    cyclic = example(3, n=64 * 4, sampling="cyclic", steps=20)
    for place in range(4):
        shift = np.zeros(23)
        shift[place:20:4] = 0.5 / 64
        at = float(epsilon_gdp(pabi_mu(0.975, shift, noise), 1e-5))
        assert sampled_epsilon(cyclic, 1.3, 1e-5) >= at * (1 - 1e-12)
    assert sampled_epsilon(cyclic, 1.3, 1e-5) == pytest.approx(at, rel=1e-9)


def test_shuffled_epochs():
    setting = example(100, n=640, sampling="shuffled", adjacency="delete")
    mixture = sampled_epsilon(setting, 1.0, 1e-5, "mixture")
    assert 0.73664608436317 <= mixture <= 0.7376
    exchanged = example(100, n=640, sampling="shuffled", adjacency="replace")
    assert math.isinf(sampled_epsilon(exchanged, 1.0, 1e-5, "mixture"))
    found = sampled_epsilon(exchanged, 1.0, 1e-5)
    assert sampled_epsilon(exchanged, 1.0, 1e-5, "lower") <= found <= 0.494


@pytest.mark.parametrize("reference", ["T", "stationary"])
def test_other_references_only_add_what_is_due(reference):
    near = example(50, reference=reference, diameter=1e-6)
    far = example(50, reference=reference, diameter=1.0)
    found = [sampled_epsilon(s, 1.0, 1e-5) for s in (near, far)]
    assert found[0] <= found[1]
    due = 0.975 ** (180 if reference == "T" else 230) / (
        math.sqrt(sum(0.975 ** (2 * k) for k in range(180 if reference == "T" else 230))) * 0.5 / 64
    )
    assert found[1] >= float(epsilon_gdp(due, 1e-5)) * (1 - 1e-9)
    assert sampled_epsilon(far, 1.0, 1e-5, "lower") == 0


def test_large_batches_are_owed():
    steep = SampledSGD(
        n=2500,
        batch_size=50,
        steps=600,
        unlearning_steps=60,
        step_size=0.5,
        smoothness=0.4,
        ridge=0.04,
    )
    rows, owed = steep.most_rows(1e-7)
    assert rows < 2500
    assert 0 <= owed <= 1e-15
    assert (steep.contraction(rows) == 0.98 * (1 + 2.0**-50) + 2.0**-54).all()
    tight = SampledSGD(
        n=2500, batch_size=50, steps=600, unlearning_steps=60, step_size=0.5, smoothness=4.0
    )
    assert (tight.contraction(tight.most_rows(1e-7)[0]) > 1).all()


@pytest.mark.parametrize("accountant", ["exact", "lower"])
def test_noise_and_steps_for_a_target(accountant):
    setting = example(50)
    sigma = sampled_noise(setting, 1.0, 1e-5, accountant)
    assert sampled_epsilon(setting, sigma, 1e-5, accountant) <= 1.0
    assert sampled_epsilon(setting, sigma * (1 - 2e-6), 1e-5, accountant) > 1.0
    steps = least_unlearning_steps(setting, 1.0, 1.0, 1e-5, accountant)
    assert sampled_epsilon(example(steps), 1.0, 1e-5, accountant) <= 1.0
    assert sampled_epsilon(example(steps - 1), 1.0, 1e-5, accountant) > 1.0


def test_rows_of_a_sequence_count_until_they_leave():
    rows = np.array([2] * 180 + [1] * 30 + [0] * 30)
    both = example(60, rows=rows)
    first, second = example(60), example(30, steps=210)
    found = [sampled_epsilon(s, 1.0, 1e-5) for s in (first, second, both)]
    assert found[0] < found[1] < found[2]


WRONG = {
    "steps": {"steps": 0},
    "batch_size": {"batch_size": 570},
    "rate": {"rate": 1.5},
    "sampling": {"sampling": "random"},
    "adjacency": {"adjacency": "skip"},
    "diameter": {"reference": "T"},
    "rows": {"rows": 3, "adjacency": "replace"},
    "reference": {"reference": "T", "diameter": 1.0, "step_size": [0.5] * 229 + [0.4]},
    "unlearning_steps": {"reference": "T", "diameter": 1.0, "sampling": "cyclic"},
}


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_go_together_is_refused(name):
    with pytest.raises(ValueError, match=name):
        example(50, **WRONG[name])


@pytest.mark.parametrize("adjacency", ["zero-out", "delete", "add", "replace"])
def test_as_much_unlearning_as_training_leaves_only_the_start(adjacency):
    # The last 180 steps see no row: what is due is the diameter, once for each law that moved.
    mu = 0.975**180 / (0.5 / 64 * math.sqrt((1 - 0.975**360) / (1 - 0.975**2)))
    exact = float(epsilon_gdp(mu * (2 if adjacency == "replace" else 1), 1e-5))
    for after in (180, 200):
        setting = example(after, reference="T", diameter=1.0, adjacency=adjacency)
        found = sampled_epsilon(setting, 1.0, 1e-5, "mixture")
        assert exact * (1 - 1e-12) <= found <= exact * (1 + 1e-6)


@pytest.mark.parametrize("accountant", ["mixture", "patterns", "lower"])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 30.0])
def test_least_noise_takes_few_evaluations(monkeypatch, accountant, epsilon):
    tried = []

    def counted(*given):
        tried.append(given)
        return sampled_epsilon(*given)

    setting = example(4, n=12, batch_size=3, steps=6)
    monkeypatch.setattr("accounting.sampled.privacy.sampled_epsilon", counted)
    sigma = sampled_noise(setting, epsilon, 1e-5, accountant)
    # Besides those of the linear instance, which tells the others where to begin.
    assert sum(given[-1] == accountant for given in tried) <= 12
    assert sampled_epsilon(setting, sigma, 1e-5, accountant) <= epsilon
    assert sampled_epsilon(setting, sigma * (1 - 1e-6), 1e-5, accountant) > epsilon


@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_where_linear_losses_are_the_worst_two_evaluations_are_enough(monkeypatch, epsilon):
    tried = []

    def counted(*given):
        tried.append(given[-1])
        return sampled_epsilon(*given)

    monkeypatch.setattr("accounting.sampled.privacy.sampled_epsilon", counted)
    setting = example(40)
    sigma = sampled_noise(setting, epsilon, 1e-5, "mixture")
    assert 1 <= tried.count("mixture") <= 2
    least = sampled_noise(setting, epsilon, 1e-5, "lower")
    assert least * (1 - 1e-12) <= sigma <= least * (1 + 1.1e-6)


def test_settings_with_the_same_answers_share_what_is_computed():
    one = example(4, steps=20, noise_profile=[1.0] * 24)
    same = example(4, steps=20, noise_profile=np.ones(24))
    assert one == same
    assert accounts(one, 1e-5) is accounts(same, 1e-5)
    assert accounts(one, 1e-5) is not accounts(one, 1e-6)
    for changes in ({"steps": 19, "unlearning_steps": 5}, {"noise_profile": [1.0] * 23 + [2.0]}):
        other = replace(one, **changes)
        assert other != one
        assert accounts(other, 1e-5) is not accounts(one, 1e-5)


@pytest.mark.parametrize(("start", "delta"), [(10.0, 0.97), (40.0, 0.97), (40.0, 0.84)])
def test_patterns_count_what_is_due_at_the_start_in_the_curvature_too(start, delta):
    """One step that shifts by 1 with chance 1/2: the mean of two Gaussian deltas, exactly."""
    one = np.ones((1, 1))
    law = Inclusions(one, one / 2, np.array([0.5]), one, np.ones(1), start, True, 0.0)
    epsilon = patterns_epsilon(law, 1.0, delta)
    assert (delta_gdp(start, epsilon) + delta_gdp(start + 1, epsilon)) / 2 <= delta
