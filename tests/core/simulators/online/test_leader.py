"""Follow the leader: prefix minimisers by hand, exact unlearning, and the regret without it."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from accounting.deletions.schedule import DeletionSchedule
from simulators.data.synthetic import two_gaussians
from simulators.domains import Ball, Box
from simulators.losses.logistic import Logistic
from simulators.online.leader import follow_the_leader
from simulators.online.learners import run
from simulators.online.linear import Linear
from simulators.online.quadratics import Quadratics
from simulators.online.rows import Rows

POINTS = np.random.default_rng(4).uniform(-1, 1, (12, 2))


def means(seen, gone):
    kept = [POINTS[s - 1] for s in range(1, seen + 1) if s not in gone]
    return np.mean(kept, axis=0) if kept else np.zeros(2)


@pytest.mark.parametrize("convention", ["C", "A"])
def test_leaders_of_means_by_hand(convention):
    requests = DeletionSchedule([2, 1, 5], [4, 4, 9], convention)
    found = follow_the_leader(Quadratics(POINTS, 1.0), requests)
    late = convention == "A"
    served = {4: {1, 2}, 9: {1, 2, 5}}
    suffered, gone = [], set()
    for t in range(1, 13):
        gone = served.get(t, gone)
        played = means(t - 1 + late, gone)
        suffered.append(((played - POINTS[t - 1]) ** 2).sum() / 2)
    np.testing.assert_allclose(found.losses[0], suffered, rtol=1e-12)
    np.testing.assert_allclose(found.published[0, 0, 0], means(3 + late, {2}), rtol=1e-12)
    np.testing.assert_allclose(found.final[0, 0], means(12, {1, 2, 5}), rtol=1e-12)
    # olu eq (5): the comparator of round t is the one without what was deleted before t.
    stars = [
        means(12, {2, 1, 5}) if t > 9 else means(12, {1, 2} if t > 4 else ()) for t in range(1, 13)
    ]
    best = sum(((z - x) ** 2).sum() / 2 for z, x in zip(stars, POINTS, strict=True))
    assert found.regret[0] == pytest.approx(sum(suffered) - best, rel=1e-12)


def test_serving_a_request_is_exact_unlearning():
    stream = Rows.of(Logistic(0.1), two_gaussians(30, 3, seed=2), Ball(2.0))
    requests = DeletionSchedule([2, 7], [9, 20])
    found = follow_the_leader(stream, requests)
    assert found.runs == (0, 2)
    assert found.distances()[0, -1] < 1e-8
    assert np.linalg.norm(found.final[0] - found.final[1]) < 1e-8
    passive = run(stream, requests, steps=lambda t: 1 / (0.1 * t))
    assert passive.distances()[0, -1] > 1e-3
    total = follow_the_leader(stream)
    assert total.gradient_evaluations["learn"] >= sum(range(31))
    assert total.runs == (0,)


def test_leaders_of_logistic_losses_against_scipy():
    data = two_gaussians(20, 3, seed=2)
    found = follow_the_leader(Rows.of(Logistic(0.1), data, Ball(50.0)), DeletionSchedule([3], [8]))
    kept = [s for s in range(7) if s != 2]
    rows, signs = data.features[kept], data.targets[kept]

    def value(z):
        return np.logaddexp(0, -signs * (rows @ z)).mean() + 0.05 * z @ z

    best = minimize(value, np.zeros(3), tol=1e-12).x
    np.testing.assert_allclose(found.published[0, 0, 0], best, atol=1e-6)


def test_a_line_and_its_ends():
    """Alternating slopes on [-1, 1]: the leader is always at the wrong end, and loses 1 a round."""
    T = 21
    slopes = np.where(np.arange(T) == 0, 0.5, (-1.0) ** np.arange(T))
    found = follow_the_leader(Linear(slopes[:, None], 0.0, Box(-1.0, 1.0)))
    assert found.total_loss[0] == pytest.approx(T - 1)
    assert found.regret[0] >= T - 1 - 0.5 - 1e-12


def test_the_regret_of_strongly_convex_losses():
    """L^2 (1 + ln T)/mu, the bound of follow the leader without deletions."""
    stream = Quadratics(POINTS, 2.0, Ball(1.5))
    c = stream.constants
    limit = c.lipschitz**2 * (1 + math.log(12)) / c.strong_convexity
    assert 0 <= follow_the_leader(stream).regret[0] <= limit


def test_bad_input_is_named():
    stream = Quadratics(POINTS, 1.0)
    with pytest.raises(ValueError, match="times must be"):
        follow_the_leader(stream, DeletionSchedule([2], [40]))
    with pytest.raises(ValueError, match="requests"):
        follow_the_leader(stream, [1])
    with pytest.raises(ValueError, match="tolerance must be"):
        follow_the_leader(stream, tolerance=0.0)
