"""Table 1 of olu: the constant step against the proof's, and against the best one."""

import math
from collections.abc import Callable

import numpy as np

from verify.checks import Check, Context, Findings, Instances, Limit, case_table


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


def check(ctx: Context) -> Findings:
    rng = ctx.rng()
    words = "the proof's step at omega = 1.2"
    more = {"relation": "==", "tight": math.nan, "script": "tab1_slip"}
    samples = [_drawn(rng) for _ in range(ctx.pick(40, 500))]
    for inputs in (*CASES, *samples):
        yield from ctx.compare_forms("literal", derived(**inputs), inputs, words, **more)


def _drawn(rng: np.random.Generator) -> dict[str, float]:
    k, (L, D) = int(rng.integers(1, 30)), rng.exponential(size=2) + 0.01
    T, epsilon = k + int(10 ** rng.uniform(1, 6)), 10 ** rng.uniform(-4, 1)
    return case_table("T k d epsilon L D", (T, k, int(rng.integers(1, 200)), epsilon, L, D))[0]


CASES = case_table(
    "T k d epsilon L D",
    (100, 1, 1, 1e-6, 1, 1e4),
    (10_000, 5, 10, 1, 1, 1),
    (1_000_000, 20, 100, 0.5, 2, 3),
)
BEST = Instances(
    "minimiser of the bound that holds",
    [{**case, "omega": 1.2} for case in CASES],
    draws=(40, 500),
    within={
        "T": (10, 1_000_000),
        "d": (1, 200),
        "epsilon": (1e-4, 10),
        "L": (0.01, 10),
        "D": (0.01, 10),
        "k": (1, 30),
    },
    interpretations=("best",),
    relations={"printed": "==", "corrected": "==", "tight": "=="},
    script="tab1_too_short",
)
LITERAL = Limit("the exact side minimises the bound that holds", others=("printed", "corrected"))
CHECKS = (Check("olu.tab1", check, measure, (BEST,), {"literal": LITERAL}),)
