"""delta averaged over very many draws, beside the average over a lattice; training as one test."""

import dataclasses
import math

import numpy as np
import pytest

from accounting import SampledSGD, sampled_epsilon
from accounting.curves.discrete_sums import Term
from accounting.curves.gaussian import delta_gdp
from accounting.sampled import accountants
from accounting.sampled._largest_batch import Accounts
from accounting.sampled._patterns_of_many import many_patterns_epsilon
from accounting.sampled.training_alone import training_at_least

EXAMPLE = SampledSGD(
    n=569,
    batch_size=64,
    steps=180,
    unlearning_steps=50,
    step_size=0.5,
    smoothness=0.25,
    ridge=0.05,
)


@pytest.mark.parametrize("sigma", [0.3, 1.0, 30.0])
@pytest.mark.parametrize("delta", [1e-3, 1e-9])
def test_it_is_a_little_above_the_average_of_two_values(sigma, delta):
    values, chances = np.array([[0.4, 1.1]]) / sigma, np.array([[0.2, 0.05]])
    law = Term(values, chances, np.array([0.75]))
    above = many_patterns_epsilon(law, delta)
    # With the epsilon that it says the average is at most delta, and hardly less.
    assert float(chances[0] @ delta_gdp(values[0], above)) <= delta
    assert float(chances[0] @ delta_gdp(values[0], above * 0.1)) > delta


@pytest.mark.parametrize("steps", [10, 50])
@pytest.mark.parametrize("delta", [1e-5, 1e-12])
def test_it_is_a_little_above_the_average_over_a_lattice(steps, delta):
    setting = dataclasses.replace(EXAMPLE, unlearning_steps=steps)
    accounts = Accounts(setting, delta)
    many = many_patterns_epsilon(accounts.blocks.additive, delta)
    assert accounts.patterns(1.0) <= many <= 1.08 * accounts.patterns(1.0)


def test_very_much_noise_and_very_little():
    additive = Accounts(EXAMPLE, 1e-5).blocks.additive
    assert many_patterns_epsilon(additive.times(1e-8), 1e-5) < 1e-5
    assert many_patterns_epsilon(additive.times(1e6), 1e-5) == math.inf


def test_a_thousand_requests_have_an_average_over_patterns():
    rows = np.repeat(np.arange(1000, -1, -1), [180] + [50] * 1000)
    setting = dataclasses.replace(EXAMPLE, n=5690, unlearning_steps=50_000, rows=rows)
    mixture, patterns = (
        sampled_epsilon(setting, 1.0, 1e-5, name) for name in ("mixture", "patterns")
    )
    assert mixture < patterns < 5 * mixture


def test_one_test_of_all_outputs_is_below_the_composition():
    setting = dataclasses.replace(
        EXAMPLE, steps=20, unlearning_steps=0, noise_profile=np.repeat([0.8, 1.3], 10)
    )
    composed = sampled_epsilon(setting, 2.0, 1e-5, "training")
    assert 0.5 * composed < training_at_least(setting, 2.0, 1e-5) <= composed


def test_the_composition_is_not_asked_where_one_test_tells_more(monkeypatch):
    asked = []
    monkeypatch.setattr(accountants.Averaged, "training", lambda self, sigma: asked.append(sigma))
    for requests in (1, 3, 10):
        rows = np.repeat(np.arange(requests, -1, -1), [180] + [50] * requests)
        setting = dataclasses.replace(EXAMPLE, unlearning_steps=50 * requests, rows=rows)
        assert sampled_epsilon(setting, 1.1, 1e-5) < 2
    assert asked == []


def test_no_single_test_is_known_of_two_mixtures():
    replaced = dataclasses.replace(EXAMPLE, adjacency="replace")
    assert training_at_least(replaced, 1.0, 1e-5) == 0.0
    resized = dataclasses.replace(EXAMPLE, adjacency="delete")
    assert training_at_least(resized, 1.0, 1e-5) == 0.0
