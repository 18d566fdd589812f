"""Limits of events: nothing found in null data, below the truth, near it, and fit for all laws."""

import math

import numpy as np
import pytest
from scipy.special import xlog1py, xlogy

from accounting.curves.gaussian import epsilon_gdp
from verify.audit import (
    ApproximateDP,
    GaussianDP,
    claim_of,
    compare,
    detectable_leak,
    detectable_mu,
)
from verify.audit.joint import JointLimits
from verify.audit.limits import limits_of
from verify.audit.separation import learn_scores


def gaussians(mu, trials, dimension, seed, scale=1.0):
    rng = np.random.default_rng(seed)
    first = rng.normal(size=(trials, dimension))
    second = scale * rng.normal(size=(trials, dimension))
    second[:, 0] += mu
    return first, second


NULL = {
    "gaussian": lambda rng: rng.normal(size=(600, 4)),
    "constant": lambda rng: np.ones((600, 2)),
    "coin": lambda rng: rng.integers(0, 2, size=(600, 1)).astype(float),
    "heavy": lambda rng: rng.standard_cauchy(size=(600, 2)),
}


@pytest.mark.parametrize("law", NULL)
def test_null_data_gives_exactly_zero_and_refutes_nothing(law):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        found = compare(NULL[law](rng), NULL[law](rng), claim=ApproximateDP(0.0, 0.0))
        assert found.epsilon(0.0) == found.mu() == found.renyi(2.0) == 0.0
        assert not found.refutes(ApproximateDP(0.0, 0.0))
        assert not found.refutes(GaussianDP(0.0))


@pytest.mark.parametrize("mu", [0.5, 1.0, 2.0])
def test_limits_are_below_the_truth_and_near_it(mu, full):
    """20,000 trials, error 1e-6: at least 70 % of mu, a fifth of epsilon at 1e-5."""
    for seed in range(3 if full else 1):
        found = compare(*gaussians(mu, 20_000, 3, seed), claim=GaussianDP(mu))
        assert 0.7 * mu <= found.mu() <= mu
        true = float(epsilon_gdp(mu, 1e-5))
        assert found.epsilon(1e-5) <= true
        assert 0.2 * mu**2 < found.renyi(2.0) <= mu**2
        assert found.epsilon(1e-5) >= 0.2 * true


def test_limits_fail_no_more_often_than_they_may(full):
    """At confidence 1/2 the truth is exceeded in at most half of the runs (union: in few)."""
    wrong, shown = {"mu": 0, "epsilon": 0}, []
    runs = 50 if full else 12
    for seed in range(runs):
        found = compare(*gaussians(1.0, 400, 1, seed), confidence=0.5, claim=GaussianDP(1.0))
        shown.append(found.mu())
        wrong["mu"] += shown[-1] > 1
        wrong["epsilon"] += found.epsilon(0.01) > float(epsilon_gdp(1.0, 0.01))
    assert max(wrong.values()) <= runs / 2
    assert np.median(shown) > 0.6  # the limits are not vacuous


def test_epsilon_falls_with_delta_and_rises_with_the_error():
    first, second = gaussians(1.5, 4000, 2, 0)
    found = compare(first, second)
    values = [found.epsilon(d) for d in (0.0, 1e-6, 1e-3, 0.1, 0.3, 0.9)]
    assert values == sorted(values, reverse=True)
    assert values[-1] == 0
    assert compare(first, second, confidence=0.9).mu() > found.mu()


def test_both_directions_are_tested():
    """One law has an atom that the other never shows, whichever comes first."""
    rng = np.random.default_rng(0)
    plain, marked = rng.normal(size=(4000, 1)), rng.normal(size=(4000, 1))
    marked[rng.random(4000) < 0.05] = 9.0
    claim = ApproximateDP(1.0, 1e-3)
    for pair in ((plain, marked), (marked, plain)):
        found = compare(*pair, claim=claim)
        assert found.refutes(claim)
        assert found.epsilon(1e-3) > 1.0


@pytest.mark.parametrize("what", ["scale", "shape", "atoms", "correlation"])
def test_differences_that_no_mean_shows(what):
    rng = np.random.default_rng(1)
    first = rng.normal(size=(8000, 2))
    second = rng.normal(size=(8000, 2))
    if what == "scale":
        second *= 1.6
    elif what == "shape":
        second = np.sign(second) * np.abs(rng.normal(1.0, 0.2, size=second.shape))
    elif what == "atoms":
        first = rng.choice([0.0, 1.0, 2.0, 3.0], size=(8000, 1), p=[0.4, 0.1, 0.1, 0.4])
        second = rng.choice([0.0, 1.0, 2.0, 3.0], size=(8000, 1), p=[0.1, 0.4, 0.4, 0.1])
    else:
        second[:, 1] = 0.9 * second[:, 0] + math.sqrt(0.19) * second[:, 1]
    assert compare(first, second).mu() > 0.3


@pytest.mark.parametrize(
    "claim",
    [GaussianDP(1.0), ApproximateDP(1.0, 0.05), claim_of(renyi=(4, 2.0))],
    ids=lambda c: c.describe()["kind"],
)
def test_power_is_what_it_says(claim, full):
    """Gaussians at the stated distance are caught in at least 90 % of the runs (here 4 of 5)."""
    runs = 10 if full else 5
    mu = detectable_mu(claim, 4000, confidence=1 - 1e-6)
    caught = sum(
        compare(*gaussians(mu, 8000, 1, seed), claim=claim).refutes(claim) for seed in range(runs)
    )
    assert caught >= 0.8 * runs
    less = detectable_mu(claim, 40_000, confidence=1 - 1e-6)
    assert less < mu


def test_a_claim_just_below_the_truth_is_caught_with_enough_trials(full):
    """95 % of the true mu, 300,000 trials of each law, error 1e-6; 90 % takes 48,000."""
    share, trials = (0.95, 300_000) if full else (0.9, 48_000)
    claim = GaussianDP(share)
    assert detectable_mu(claim, trials * 2 // 3, confidence=1 - 1e-6) < 1.0
    found = compare(*gaussians(1.0, trials, 1, 0), claim=claim)
    assert found.refutes(claim)
    assert not found.refutes(GaussianDP(1.0))


def leaking(kind, chance, trials, seed):
    """Three independent normals; the second law has something else besides, with probability."""
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=(2, trials, 3))
    leaks = rng.random(trials) < chance
    if kind == "apart":
        second[leaks, 0] += 10
    elif kind == "repeated":
        second[leaks] = (0.1, 0.2, 0.3)
    else:
        second[leaks] *= 30
    return first, second


@pytest.mark.parametrize("kind", ["apart", "repeated", "spread"])
def test_rare_leaks_are_caught_as_stated(kind, full):
    """Outputs that the other law never has: 3 of 4 runs at the probability for 0.9."""
    runs = 8 if full else 4
    claim = ApproximateDP(1.0, 1e-5)
    chance = detectable_leak(claim, 6666, confidence=1 - 5e-7)
    assert 0.01 < chance < 0.012
    caught = [
        compare(*leaking(kind, chance, 10_000, seed), claim=claim, confidence=1 - 5e-7)
        for seed in range(runs)
    ]
    assert sum(found.refutes(claim) for found in caught) >= 0.75 * runs
    assert detectable_leak(claim, 66_660, confidence=1 - 5e-7) < chance / 8
    assert detectable_leak(claim, 20, confidence=1 - 5e-7) == math.inf


@pytest.mark.parametrize("order", [2, 3, 4])
def test_parities_are_seen(order):
    """The sign of one coordinate is the product of others': all smaller marginals agree."""
    rng = np.random.default_rng(order)
    first, second = rng.normal(size=(2, 6000, 6))
    others = np.sign(second[:, 1:order]).prod(axis=1)
    second[:, 0] = np.abs(second[:, 0]) * others
    found = compare(first, second, claim=ApproximateDP(0.5, 1e-5))
    assert found.refutes(ApproximateDP(0.5, 1e-5))


def test_a_joint_set_holds_what_one_limit_at_a_time_does_not_tell():
    """62 of 6,666 against none: (1, 1e-5) is refuted jointly, and by no pair of limits."""
    before = ([[0.0, 33.0]], (3333, 3333)), ([[0.0, 11.0]], (1111, 1111))
    earlier = [(np.array(hits), of) for hits, of in before]
    hits = np.array([[0.0, 62.0]])
    found = limits_of(["leak"], (hits, (6666, 6666)), earlier, 1 - 3e-7, 1)
    claim = ApproximateDP(1.0, 1e-5)
    assert not claim.forbids(*found.corners()).any()
    assert found.refutes(claim)
    assert not found.refutes(ApproximateDP(1.6, 1e-5))


def test_the_likeliest_pair_below_a_line_is_the_best_of_a_grid():
    rng = np.random.default_rng(0)
    line = np.linspace(0, 1, 801)
    p, q = line, line[:, None]
    for _ in range(40):
        n, m = (int(x) for x in rng.integers(5, 60, 2))
        y, x = int(rng.integers(0, n + 1)), int(rng.integers(0, m + 1))
        slope, cut = float(np.exp(1.5 * rng.normal())), float(rng.uniform(0, 0.9))
        every = xlogy(y, p) + xlog1py(n - y, -p) + xlogy(x, q) + xlog1py(m - x, -q)
        best = every[q <= slope * p + cut].max()
        hits = np.array([[float(y), float(x)]])
        sets = JointLimits(hits, (n, m), np.array([0.0]), 1.0)
        for nudge, expected in ((0.1, True), (-1e-6, False)):
            moved = JointLimits(hits, (n, m), np.array([best + nudge]), sets.level)
            assert moved.exclude(np.array([slope]), np.array([cut]))[0, 0, 0] == expected


def test_no_event_is_found_impossible_detections():
    assert detectable_mu(ApproximateDP(1.0, 0.999999), 100, confidence=0.99) == math.inf


def test_wide_outputs_are_handled():
    first, second = gaussians(3.0, 1000, 1000, 0)
    assert compare(first, second).mu() > 0.5
    names = {s.name.split()[0] for s in learn_scores(first, second)}
    assert names == {"direction", "norm", "likelihood", "waves", "signs"}


@pytest.mark.parametrize(
    ("first", "second", "word"),
    [
        (np.zeros((10, 1)), np.zeros((30, 1)), "first must hold at least 24"),
        (np.zeros((30, 1)), np.zeros((30, 2)), "rows of one length"),
        (np.full((30, 1), np.nan), np.zeros((30, 1)), "first must be"),
        (np.zeros((30, 1)), np.full((30, 1), np.inf), "second must be"),
        (["a"] * 30, np.zeros((30, 1)), "first must be"),
        (3.0, np.zeros((30, 1)), "first must hold"),
    ],
)
def test_refuses_what_are_no_samples(first, second, word):
    with pytest.raises(ValueError, match=word):
        compare(first, second)


@pytest.mark.parametrize("confidence", [0, 1, -1, math.nan, "x", None])
def test_refuses_a_confidence_that_is_none(confidence):
    with pytest.raises(ValueError, match="confidence must be"):
        compare(*gaussians(0, 40, 1, 0), confidence=confidence)


@pytest.mark.parametrize(("dimension", "claimed"), [(10, 1.0), (100, 1.0), (300, 1.0), (300, 0.0)])
def test_power_counts_the_direction_that_has_to_be_learnt(dimension, claimed, full):
    """In 300 coordinates no run in ten sees what in one coordinate nearly all see."""
    claim = GaussianDP(claimed)
    alone = detectable_mu(claim, 500, confidence=1 - 1e-6)
    mu = detectable_mu(claim, 500, confidence=1 - 1e-6, dimension=dimension)
    assert mu > alone * 1.02
    caught, runs = 0, 8 if full else 4
    for seed in range(runs):
        found = compare(*gaussians(mu, 1000, dimension, seed), claim=claim)
        assert found.dimension == dimension
        caught += found.refutes(claim)
    assert caught >= 0.75 * runs


def test_power_grows_with_samples_whatever_the_dimension():
    sizes = [detectable_mu(GaussianDP(1.0), n, confidence=1 - 1e-6, dimension=399)
             for n in (200, 300, 400, 1000, 5000, 50_000)]  # fmt: skip
    assert sizes == sorted(sizes, reverse=True)
    far = detectable_mu(GaussianDP(1.0), 50_000, confidence=1 - 1e-6)
    assert far < sizes[-1] < 1.1 * far


@pytest.mark.parametrize("unit", [1e-300, 1e-14, 1.0, 1e140])
def test_the_unit_of_the_outputs_does_not_matter(unit):
    first, second = gaussians(3.0, 2000, 2, 0)
    assert compare(first * unit, second * unit).mu() > 2


def test_noise_far_below_the_mean_is_seen():
    first, second = gaussians(3.0, 2000, 2, 0)
    assert compare(1e6 + 1e-7 * first, 1e6 + 1e-7 * second).mu() > 2


def test_numbers_whose_squares_overflow_are_refused():
    with pytest.raises(ValueError, match=r"first must hold .* at most 1e\+150, got 1e\+200"):
        compare(np.full(30, -1e200), np.ones(30))
    with pytest.raises(ValueError, match=r"second must be .*got nan"):
        compare(np.ones(30), np.full(30, np.nan))
