"""The power that an audit states: of one event exactly, and of audits by runs of them."""

import numpy as np
import pytest
from scipy.stats import binom, norm

from verify.audit import ApproximateDP, GaussianDP, compare, detectable_mu
from verify.audit.joint import joint_limits
from verify.audit.limits import ALONE, TANGENTS

ERROR = 5e-7
CLAIMS = {"epsilon": ApproximateDP(1.0, 1e-5), "mu": GaussianDP(0.5)}


def caught(claim, judged, mu, cut, error):
    """The chance that x > cut refutes the claim, N(0, 1) and N(mu, 1) judged by so many samples.

    The sum over all pairs of counts of two binomials; the samples that chose the event are taken to
    have had the same frequencies.
    """
    counts = np.arange(judged + 1)
    first, second = binom.pmf(counts, judged, norm.sf(cut)), binom(judged, norm.sf(cut - mu))
    likely = counts[first > 1e-9]
    # More hits of the second law tell more: for each count of the first, the fewest that refute.
    low, high = likely.copy(), np.full(likely.size, judged + 1)
    while (high - low > 1).any():
        middle = (low + high) // 2
        hits = np.stack([likely, np.minimum(middle, judged)], axis=1).astype(float)
        earlier = [(np.floor(hits * share), (int(judged * share),) * 2) for share in (1 / 2, 1 / 6)]
        sets = joint_limits(hits, (judged, judged), earlier, (1 - ALONE) * error)
        refuted = sets.exclude(*claim.support(TANGENTS)).any(axis=(1, 2))
        low, high = np.where(refuted, low, middle), np.where(refuted, middle, high)
    return float(first[likely] @ second.sf(high - 1))


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize("judged", [60, 334])
def test_the_best_event_is_caught_with_the_stated_chance(name, judged):
    claim = CLAIMS[name]
    mu = detectable_mu(claim, judged, confidence=1 - ERROR, events=1)
    cuts = np.linspace(0, mu, 5)
    chances = [caught(claim, judged, mu, cut, ERROR) for cut in cuts]
    assert max(chances) >= 0.9
    # It is no idle number: at two thirds of the distance few are caught.
    assert max(caught(claim, judged, 2 / 3 * mu, cut, ERROR) for cut in cuts) < 0.6


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize(("trials", "dimension"), [(300, 1), (2000, 1), (2000, 5), (10_000, 1)])
def test_audits_of_gaussians_so_far_apart_refute(name, trials, dimension, full):
    """The share of refuted runs is at least .9, but for a chance of 1e-6 of fewer by accident."""
    if trials > 2000 and not full:
        pytest.skip("in the full profile")
    claim, runs = CLAIMS[name], 200 if full else 12
    judged = trials - len(range(0, trials, 3))
    # As many events as an audit judges at most: with fewer it sees more.
    mu = detectable_mu(claim, judged, confidence=1 - ERROR, events=9, dimension=dimension)
    refuted = 0
    for seed in range(runs):
        rng = np.random.default_rng([seed, trials, dimension])
        axis = rng.normal(size=dimension)
        first, second = rng.normal(size=(2, trials, dimension))
        second = second + mu * axis / np.linalg.norm(axis)
        refuted += compare(first, second, confidence=1 - ERROR, claim=claim).refutes(claim)
    assert refuted >= binom.ppf(1e-6, runs, 0.9)
