"""Worst cases by semidefinite programming against closed forms written here."""

import math

import pytest

pytest.importorskip("PEPit")

from verify.search import worst_case


@pytest.mark.parametrize(("eta", "m", "L"), [(0.5, 0.2, 1.0), (1.9, 0.1, 1.0), (0.3, 0.5, 4.0)])
def test_one_step_contracts_by_the_larger_end(eta, m, L):
    wanted = max(abs(1 - eta * m), abs(1 - eta * L))
    assert worst_case.contraction(eta=eta, m=m, L=L) == pytest.approx(wanted, rel=1e-5)


def test_noisy_runs_follow_the_recursion():
    wanted = 0.3 * (1 + 0.9 + 0.81)
    found = worst_case.noisy_distance(eta=0.5, m=0.2, L=1.0, sensitivity=0.3, steps=3)
    assert found == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("T", [1, 3])
def test_regret_is_attained_at_every_horizon(T):
    assert worst_case.regret(D=2.0, L=0.5, T=T) == pytest.approx(math.sqrt(T), rel=1e-5)


def test_minimisers_move_in_proportion_to_what_is_removed():
    assert worst_case.stability(k=2, L=0.7, kappa=0.4) == pytest.approx(7.0, rel=1e-4)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: worst_case.contraction(eta=0.0, m=0.1, L=1.0), "eta must be"),
        (lambda: worst_case.contraction(eta=0.1, m=2.0, L=1.0), "m must be"),
        (lambda: worst_case.regret(D=1.0, L=1.0, T=0), "T must be"),
        (lambda: worst_case.stability(k=1, L=float("nan"), kappa=1.0), "L must be"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
