"""Values of what methods cost, and of how many samples may leave."""

import numpy as np
import pytest

import bounds
from bounds.hf import newton_costs
from verify.hf import newton_costs as verified_costs
from verify.hf import observations
from verify.safe import costs


def value(id, form, **at):
    return float(bounds.get(id)(form, **at))


def test_a_round_of_safe_goes_through_all_that_has_left():
    run = costs.Rounds(np.random.default_rng(0).normal(size=(50, 2)), (3, 1, 4, 1, 5))
    assert run.run() < 1e-14
    assert run.counts == [(3, 3), (1, 4), (4, 8), (1, 9), (5, 14)]
    for m, M in zip((3, 1, 4, 1, 5), (3, 4, 8, 9, 14), strict=True):
        assert value("safe.cost", "corrected", m=m, M=M) == m + M
    assert value("safe.cost.storage", "corrected", d=2, m=5, M=14) == 2 + 2 * 14


@pytest.mark.parametrize(("n", "most"), [(2, 1), (5, 1), (6, 2), (60_000, 244), (80_000, 282)])
def test_how_many_samples_the_proof_of_theorem_1_lets_go(n, most):
    by_hand = max(gone for gone in range(int(n**0.5) + 1) if gone <= (n - gone) ** 0.5)
    assert by_hand == most == int(value("safe.thm1.many", "tight", n=n))


def test_the_papers_runs_remove_far_more():
    assert value("safe.thm1.many", "printed", n=60_000, M=8000) == pytest.approx(228.0, abs=0.04)
    left = [each * rounds for _, each, rounds in costs.SETTINGS.values()]
    assert (min(left), max(left)) == (400, 16_000)
    for n, each, rounds in costs.SETTINGS.values():
        assert each * rounds > value("safe.thm1.many", "printed", n=n, M=each * rounds)


def test_operations_of_elimination_are_those_of_its_loops():
    for size, columns in ((1, 1), (2, 1), (5, 1), (7, 3)):
        rows = [j for j in range(size) for _ in range(j + 1, size)]
        loops = sum(1 + 2 * (size + columns - j - 1) for j in rows)
        loops += sum(2 * columns * (size - i - 1) + columns for i in range(size))
        assert newton_costs.elimination(size, columns) == loops


@pytest.mark.parametrize(("m", "d"), [(1, 1), (1, 9), (4, 6), (9, 4)])
def test_a_newton_step_from_the_stored_inverse(m, d):
    count, step = verified_costs.updated(m, d)
    assert count == value("hf.table1.newton", "corrected", m=m, d=d)
    assert step == pytest.approx(verified_costs.scratch(m, d)[1], rel=1e-8)


def test_the_inverse_spares_the_cube_of_the_dimension():
    for d in (10, 100, 1000):
        share = value("hf.table1.newton", "corrected", m=1, d=d) / d**3
        assert 4 / d < share < 6 / d


@pytest.mark.parametrize("q", [1.0, 0.8])
def test_errors_of_two_quadratics_in_closed_form(q):
    """(1 - 2P + Q)/2 of the interpretation "far"; the shared minimiser's by powers."""
    steps = 0.4 * q ** np.arange(12)
    P, Q = np.prod(1 - steps * 1.5 / 2), np.prod(1 - steps * 1.5)
    found = observations.errors((1.5, 1.5), (1.0, -1.0), 0.4, q, 12)[-1]
    assert found == pytest.approx((1 - 2 * P + Q) / 2, rel=1e-12)


def test_an_error_that_rises_and_falls():
    found = observations.errors((4.0, 1.0), (1.0, 1.0), 0.3, 1.0, 100)
    assert found[0] < found[5] > 1e6 * found[100]
    frozen = observations.errors((4.0, 1.0), (1.0, 1.0), 0.3, 0.5, 100)
    assert frozen[50] == pytest.approx(frozen[100], rel=1e-12)
    assert frozen[100] > 0.1
