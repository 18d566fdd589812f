"""Definition 1 of safe: its best delta for Gaussian laws, and how weak its lower side is."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
from scipy.special import ndtr

from verify.checks import Check, Context, Findings, Instances, case_table


def measure(epsilon: float, mu: float) -> float:
    """The hockey-stick divergence by quadrature of the densities."""
    from simulators.exact.gaussian_divergence import log_hockey_stick_gauss

    return math.exp(log_hockey_stick_gauss(mu, 1.0, 0.0, 1.0, epsilon))


def measure_lower(epsilon: float, mu: float) -> float:
    """The integral of (e^{-epsilon} p_A - p_M)_+ by quadrature, p_A = N(0, 1), p_M = N(mu, 1)."""
    from scipy.integrate import quad

    end = mu / 2 - epsilon / mu  # the integrand is positive below
    log_peak = -(end**2) / 2 - epsilon - 0.5 * math.log(2 * math.pi)
    peak = max(end, 0.0)

    def above(s: float) -> float:
        # One exponent: its parts leave the floats where their sum does not.
        return -math.exp(end * s - s * s / 2 + log_peak) * math.expm1(-mu * s)

    parts = [(0.0, peak), (peak, peak + 12)]
    values = [quad(above, *part, epsabs=0, epsrel=1e-12, limit=500)[0] for part in parts]
    return float(sum(values))


def check(ctx: Context) -> Findings:
    """Both sides of Definition 1 on random half-lines under two Gaussian laws."""
    rng = ctx.rng(1)
    e, m = np.exp(rng.normal(size=(2, ctx.pick(2000, 50_000))))
    end = rng.normal(size=m.size) * (1 + m) + m / 2 + e / m
    upper = ndtr(m - end) - np.exp(e) * ndtr(-end)
    lower = np.exp(-e) * ndtr(end) - ndtr(end - m)
    for side, gaps in (("upper", upper), ("lower", lower)):
        at = f"random half-lines, {side} side"
        bound = ctx.claim("printed", epsilon=e, mu=m) + 1e-15
        yield ctx.compare("literal", "printed", gaps, {"epsilon": e, "mu": m}, at, bound=bound)


def check_lower(ctx: Context) -> Findings:
    """The lower side over every set of six outcomes, against the usual inequality."""
    rng = ctx.rng(1)
    sets = np.array(list(product((0, 1), repeat=6)), dtype=float)
    lower, usual = [], []
    for _ in range(ctx.pick(200, 3000)):
        reference, unlearned = rng.dirichlet(np.ones(6), 2)
        epsilon = float(rng.exponential())
        lower.append((sets @ (math.exp(-epsilon) * reference - unlearned)).max())
        gap = (sets @ (reference - math.exp(epsilon) * unlearned)).max()
        usual.append(math.exp(-epsilon) * gap)
    lhs, rhs = 1 + np.array(lower), 1 + np.array(usual)
    options = {"bound": rhs, "tolerance": 1e-12, "tight": np.nan}
    yield ctx.compare("any", "tight", lhs, {}, "every set of 6 outcomes", **options)


UPPER = Instances(
    "densities by quadrature",
    case_table("epsilon mu", (1, 0.1), (1, 0.1 * 20**0.5), (1, 2), (1, 1)),
    draws=(40, 500),
    within={"epsilon": (0.05, 10), "mu": (0.05, 10)},
    interpretations=("literal",),
    tolerance=1e-8,
    relations={"printed": "=="},
)
LOWER = replace(UPPER, cases=case_table("epsilon mu", (1, 1), (0.5, 2), (3, 0.5), (0.01, 0.1)))
CHECKS = (
    Check("safe.def1", check, measure, (UPPER,)),
    Check("safe.def1.lower", check_lower, measure_lower, (LOWER,)),
)
