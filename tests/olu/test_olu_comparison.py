"""The learners side by side on real data: what they claim, what their noise certifies."""

import math

import numpy as np
import pytest

from simulators.data import sklearn_sets
from verify.olu import comparison
from verify.olu.comparison import LEARNERS, RowStream, allocation_totals, compare


@pytest.fixture(scope="module")
def stream():
    return RowStream.of(sklearn_sets.breast_cancer(), "breast cancer")


@pytest.fixture(scope="module")
def entries(stream):
    return {e.learner: e for e in compare(stream, 10, trials=8)}


def test_every_learner_is_there_with_finite_regret(entries):
    assert tuple(entries) == LEARNERS
    assert all(math.isfinite(e.regret) and e.standard_error >= 0 for e in entries.values())


def test_the_printed_noise_claims_what_it_does_not_certify(entries):
    printed = entries["passive, printed noise"]
    assert printed.claimed == 1.0
    assert printed.certified > 1e12


def test_valid_noise_certifies_its_claim_and_the_least_meets_it_exactly(entries):
    least = entries["passive, least noise"]
    assert least.certified == pytest.approx(1.0, rel=1e-9)
    allocated = entries["passive, printed allocation of the true shift"]
    assert allocated.certified < 1.0
    assert allocated.noise > 2 * least.noise
    for learner in ("discard and restart", "retraining"):
        assert (entries[learner].certified, entries[learner].epsilon) == (0.0, 0.0)
        assert entries[learner].noise == 0.0


def test_regrets_are_in_the_order_that_the_bounds_promise(entries):
    order = (
        "retraining",
        "passive, least noise",
        "passive, printed allocation of the true shift",
        "online DP, noisy descent",
    )
    regrets = [entries[name].regret for name in order]
    assert regrets == sorted(regrets)
    assert entries["discard and restart"].regret > entries["retraining"].regret


def test_gradients_are_counted(entries, stream):
    T = stream.losses.rounds
    assert entries["passive, least noise"].gradients == {"learn": T}
    assert entries["active, least noise"].gradients["unlearn"] > T


def test_the_ball_holds_the_comparators(stream):
    from simulators.online.comparators import comparators

    requests = [7, 30, 100]
    stars = comparators(stream.losses, tuple(requests))
    assert np.linalg.norm(stars, axis=1).max() < stream.losses.domain.radius * 0.999


def test_printed_noise_is_line_5_of_algorithm_1(stream):
    from accounting.deletions.online_descent import OnlineDescent, inverse_time
    from accounting.deletions.schedule import DeletionSchedule
    from bounds.olu.accountants import LearnerScenario, noise

    descent = OnlineDescent(1.0, 3.0, 1.0, inverse_time(1.0))
    scenario = LearnerScenario(
        descent, DeletionSchedule(np.array([4]), np.array([6])), comparison.OMEGA
    )
    found = noise(scenario, 1.0)["printed"]
    assert found == pytest.approx([0.108253175473], rel=1e-9)


def test_equal_shifts_without_contraction():
    for k, least, paper in allocation_totals([1, 5, 50]):
        assert least == pytest.approx(k * k, rel=1e-9)
        assert paper == pytest.approx(6 * sum(j**1.2 for j in range(1, k + 1)), rel=1e-9)
