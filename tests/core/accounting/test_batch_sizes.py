"""Batches of all sizes: against exact laws of maps that expand as their batches grow."""

import itertools
import math

import numpy as np
import pytest
import scipy

from accounting import SampledSGD, sampled_epsilon
from accounting.sampled._batch_sizes import sizes
from accounting.sampled.accountants import accounts

EXAMPLE = {
    "n": 569,
    "batch_size": 64,
    "steps": 180,
    "unlearning_steps": 50,
    "step_size": 0.5,
    "ridge": 0.05,
}


def laws(setting, sigma):
    """Chances, means with the row, and widths: x -> c(M_k) x + noise + b_k, over all M and b."""
    others = np.arange(setting.n)
    chance = scipy.stats.binom.pmf(others, setting.n - 1, setting.rates[0])
    c = np.array([setting.contraction(int(m))[0] for m in others])
    q, T, N = float(setting.rates[0]), setting.length, setting.steps
    unit = float(setting.eta[0]) / setting.batch_size
    found = []
    for M in itertools.product(others, repeat=T):
        p = float(np.prod(chance[list(M)]))
        after = np.append(np.cumprod(c[list(M)][::-1])[::-1], 1.0)[1:]
        width = unit * sigma * math.sqrt(float((after**2).sum()))
        for b in itertools.product((0, 1), repeat=N):
            likelihood = math.prod(q if x else 1 - q for x in b)
            found.append((p * likelihood, unit * float(np.dot(b, after[:N])), width))
    return np.array(found).T


def exact_deltas(setting, sigma, epsilons):
    """The larger of both directions at each epsilon, by the trapezoid rule."""
    p, mean, width = laws(setting, sigma)
    x = np.linspace(-9 * width.max(), mean.max() + 9 * width.max(), 3001)
    scaled = (p / width / math.sqrt(2 * math.pi))[:, None]
    one = (scaled * np.exp(-(((x - mean[:, None]) / width[:, None]) ** 2) / 2)).sum(axis=0)
    other = (scaled * np.exp(-((x / width[:, None]) ** 2) / 2)).sum(axis=0)
    pairs = (one, other), (other, one)
    return [
        max(float(np.trapezoid(np.maximum(a - math.exp(e) * b, 0), x)) for a, b in pairs)
        for e in epsilons
    ]


@pytest.mark.parametrize(
    ("smoothness", "sigma", "delta"),
    [(3.0, 1.0, 0.05), (2.0, 0.7, 0.02), (2.4, 2.0, 1e-3), (6.0, 1.0, 0.1)],
)
def test_no_linear_map_of_random_size_tells_more(smoothness, sigma, delta):
    setting = SampledSGD(
        n=5,
        batch_size=2,
        steps=2,
        unlearning_steps=1,
        step_size=0.5,
        smoothness=smoothness,
        ridge=0.1,
    )
    certified = [sampled_epsilon(setting, sigma, delta, name) for name in ("mixture", "patterns")]
    assert min(certified) > 0
    # With half the epsilon the instance is worse than delta: the comparison can tell.
    mixture, patterns, half = exact_deltas(setting, sigma, [*certified, certified[0] / 2])
    assert mixture <= delta
    assert patterns <= delta
    assert half > delta or smoothness != 2.0


@pytest.mark.parametrize("smoothness", [2.0, 2.4, 3.0])
def test_the_law_of_the_largest_growth(smoothness):
    """P(R > rho) of every way, against drawn batches: exact binomial limits at 1e-6."""
    setting = SampledSGD(smoothness=smoothness, **EXAMPLE)
    rng = np.random.default_rng(3)
    drawn = rng.binomial(setting.n, setting.rates[0], (4000, setting.length))
    c = np.array([setting.contraction(m)[0] for m in range(setting.n + 1)])
    for way in sizes(setting, 1e-5)[:-1]:
        log_r = np.log(np.maximum(c[drawn] / c[way.rows], 1.0)).sum(axis=1)
        rest = np.append(np.cumsum(way.chances[::-1])[::-1][1:], 0.0) + way.lost
        assert way.chances.sum() + way.lost >= 1 - 1e-12
        for scale, chance in zip(way.scales, rest, strict=True):
            above = int((log_r > math.log(scale)).sum())
            assert scipy.stats.binom.sf(above - 1, len(drawn), min(chance, 1.0)) > 1e-6


@pytest.mark.parametrize(
    ("smoothness", "most"), [(1.75, 1.10625), (2.0, 1.10626), (2.4, 1.1065), (3.0, 1.84)]
)
def test_large_batches_cost_little_where_they_are_rare(smoothness, most):
    setting = SampledSGD(smoothness=smoothness, **EXAMPLE)
    found = accounts(setting, 1e-5)
    assert found.lower(1.0) <= found.mixture(1.0) <= most


def test_the_budgets_are_spent_and_no_more():
    for way in sizes(SampledSGD(smoothness=2.4, **EXAMPLE), 1e-5)[:-1]:
        given = way.budgets(0.3, 1e-5)
        assert given is None or float(way.chances @ given) + way.lost <= 1e-5


def test_steps_that_always_expand_have_a_finite_answer():
    setting = SampledSGD(smoothness=4.0, **EXAMPLE)
    assert sampled_epsilon(setting, 1.0, 1e-5, "mixture") < 700
