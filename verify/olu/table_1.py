"""Table 1 of olu: the constant step against the proof's, and against the best one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


def regret(eta: float, T: float, k: float, d: float, epsilon: float, L: float, D: float) -> float:
    """Bound on the expected regret with step eta and the least noise, summed term by term.

    D^2/(2 eta) + sum_t eta L^2/2 + sum_i d sigma_i^2/(2 eta).
    """
    i = np.arange(1.0, k + 1)
    variances = (2 * i - 1) * eta**2 * L**2 / (2 * epsilon)
    return float(D**2 / (2 * eta) + eta * L**2 * T / 2 + (d * variances / (2 * eta)).sum())


def minimiser(bound: Callable[[float], float], scale: float) -> float:
    """The minimiser of A/eta + B eta: one factor to either side of it the bound is the same."""
    from scipy.optimize import brentq

    def slope(log_eta: float) -> float:
        return math.log(bound(math.exp(log_eta + 0.5)) / bound(math.exp(log_eta - 0.5)))

    return math.exp(brentq(slope, math.log(scale) - 60, math.log(scale) + 10, xtol=1e-14))


def measure(
    T: float, k: float, d: float, epsilon: float, L: float, D: float, omega: float = 1.2
) -> float:
    """The minimiser of `regret`."""
    return minimiser(lambda eta: regret(eta, T, k, d, epsilon, L, D), D / L)


def derived(T: float, k: float, d: float, epsilon: float, L: float, D: float) -> float:
    """The minimiser of the proof's bound (39), its integral over the deletions done numerically.

    (2 D^2/eta + eta T (L^2 + noise))/2, noise = int_0^k d omega x^omega L^2/(2 (omega - 1) eps).
    """
    from scipy.integrate import quad

    omega = 1.2
    total, _ = quad(lambda x: d * omega * x**omega * L**2 / (2 * (omega - 1) * epsilon), 0, k)
    return minimiser(lambda eta: (2 * D**2 / eta + eta * T * (L**2 + total)) / 2, D / L)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = [(100, 1, 1, 1e-6, 1, 1e4), (1e4, 5, 10, 1, 1, 1), (1e6, 20, 100, 0.5, 2, 3)]
    for _ in range(ctx.pick(40, 500)):
        k = int(rng.integers(1, 30))
        cases.append(
            (
                k + int(10 ** rng.uniform(1, 6)),
                k,
                int(rng.integers(1, 200)),
                10 ** rng.uniform(-4, 1),
                rng.exponential() + 0.01,
                rng.exponential() + 0.01,
            )
        )
    for case in cases:
        inputs = dict(zip(("T", "k", "d", "epsilon", "L", "D"), map(float, case), strict=True))
        for form in ("printed", "corrected"):
            found, words = derived(**inputs), "the proof's step at omega = 1.2"
            more = {"relation": "==", "tight": math.nan, "script": "tab1_slip"}
            yield ctx.compare("literal", form, found, inputs, words, **more)
        for form in ("printed", "corrected", "tight"):
            found, words = measure(**inputs), "minimiser of the bound that holds"
            more = {"relation": "==", "script": None if form == "tight" else "tab1_too_short"}
            yield ctx.compare("best", form, found, inputs, words, **more)


CHECKS = (Check("olu.tab1", evidence=check, oracle=measure),)
