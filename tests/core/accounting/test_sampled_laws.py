"""No certified epsilon is below an exact law, of linear losses and of those that tell more."""

import math

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from accounting import SampledSGD, sampled_epsilon
from accounting.sampled._largest_batch import Accounts
from accounting.sampled._linear_losses import deepest, surplus
from tools import sampled_laws
from tools.sampled_laws import KINDS, TOLERANCE


@pytest.mark.parametrize("kind", TOLERANCE)
def test_settings_stay_within_their_exact_laws(kind):
    numbers = [number for number in range(100) if KINDS[number % len(KINDS)] == kind]
    found = [sampled_laws.ratio(number) for number in numbers[: 8 if kind == "tails" else 12]]
    assert {name for name, _ in found} == {kind}
    worst = max(ratio for _, ratio in found)
    assert worst <= 1 + TOLERANCE[kind]
    if kind == "patterns":
        assert worst > 0.9999  # linear losses attain it


def test_a_run_goes_on_where_it_stopped(tmp_path, monkeypatch, capsys):
    results = tmp_path / "results.txt"
    results.write_text("0 curves 0.25\n1 tails 0.5\n2 patterns 2.0\n3 draws 0.125\n")
    monkeypatch.setattr("sys.argv", ["laws", "--settings", "5", "--results", str(results)])
    monkeypatch.setattr(sampled_laws, "ratio", lambda number: ("curves", number / 8))
    sampled_laws.main()
    assert results.read_text().splitlines()[4:] == ["4 curves 0.5"]
    assert capsys.readouterr().out.splitlines()[-1] == "1 violations"


def flattened(setting, sigma, cut, knots):
    """Level and power of x_2 > cut where the map of the second step is x -> max(x, knot)."""
    eta, q = setting.eta, setting.rates
    s = eta * sigma * setting.profile
    w = np.linspace(-12, 12, 1201)
    weight = np.exp(-(w**2) / 2) / math.sqrt(2 * math.pi) * (w[1] - w[0])

    def chance(first, second):
        place = np.maximum(s[0] * w + first * eta[0], knots[:, None])
        return ndtr((place + second * eta[1] - cut) / s[1]) @ weight

    power = sum(
        (q[0] if a else 1 - q[0]) * (q[1] if b else 1 - q[1]) * chance(a, b)
        for a in (0, 1)
        for b in (0, 1)
    )
    return chance(0, 0), power


def two_steps(rate):
    return SampledSGD(
        n=10, batch_size=1, smoothness=0.0, steps=2, unlearning_steps=0, step_size=1.0, rate=rate
    )


@pytest.mark.parametrize("rate", [0.05, 0.2])
def test_other_losses_may_tell_more_than_linear_ones(rate):
    setting, sigma, delta = two_steps(rate), 0.5, 0.01
    epsilon = sampled_epsilon(setting, sigma, delta)
    lower = sampled_epsilon(setting, sigma, delta, "lower")
    knots, attained = np.linspace(-1.5, 1, 26), 0.0
    for cut in np.linspace(0.5, 3, 26).tolist():
        level, power = flattened(setting, sigma, cut, knots)
        attained = max(
            attained,
            float(np.log((power - delta) / level, where=power > delta, out=np.zeros(26)).max()),
        )
    assert lower * 1.05 < attained < epsilon


CORRECTED = {  # sigma, chances of the row in both batches
    "rare then often, little noise": (0.6, [0.1, 0.5]), "rare then often": (0.8, [0.1, 0.5]),
    "much noise": (1.5, [0.1, 0.5]), "rare": (0.6, [0.02, 0.02]), "less rare": (0.6, [0.1, 0.1]),
}  # fmt: skip


@pytest.mark.parametrize("name", CORRECTED)
def test_the_surplus_covers_what_a_map_that_forgets_gains(name):
    sigma, rates = CORRECTED[name]
    setting = SampledSGD(
        n=10,
        batch_size=1,
        smoothness=0.0,
        steps=2,
        unlearning_steps=0,
        step_size=[0.5, 1.0],
        noise_profile=[0.5, 1.5],
        rate=rates,
    )
    spare = 1e-9
    blocks = Accounts(setting, 1e-5).blocks
    lowest = deepest((blocks.additive.times(1 / sigma),), spare)
    more = surplus(blocks, sigma, lowest, spare, near=True)
    shift = np.array([0, 0.5, 1.0, 1.5]) / math.sqrt(0.0625 + 2.25) / sigma
    chances = np.outer([1 - rates[1], rates[1]], [1 - rates[0], rates[0]]).ravel()
    found = []
    for cut in np.linspace(-4, 8, 25).tolist():
        level, power = flattened(setting, sigma, cut, np.linspace(-6, 3, 19) * 0.25 * sigma)
        linear = ndtr(ndtri(level)[:, None] + shift) @ chances
        found.append(((power - spare) / linear).max())
    assert 1 + 1e-6 < max(found) <= 1 + more < 2
