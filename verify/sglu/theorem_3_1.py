"""Theorem 3.1 of sglu: uniqueness, convergence and Doeblin's rate, by the transfer operator."""

from bounds.sglu.theorem_3_1 import corrected
from simulators.exact.line_divergence import total_variation
from simulators.exact.transfer import Atoms
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.sglu.instances import ProjectedRun


def _run(R: float, eta: float, G: float, sigma: float) -> ProjectedRun:
    """Quadratics with curvature G/(2R) and data G/2: the gradient is largest, G, at one end."""
    return ProjectedRun.linear(
        R=R, eta=eta, m=G / (2 * R), sigma=sigma, b=1, J=1, old=G / 2, new=-G / 2
    )


def measure(R: float, eta: float, G: float, sigma: float, d: float, t: float) -> float:
    """Exact distance after t epochs from the worse end of the interval (d = 1)."""
    run = _run(R, eta, G, sigma)
    limit = run.stationary(1)
    return max(total_variation(run.learned(1, t, Atoms.at(x)), limit) for x in (-R, R))


def check(ctx: Context) -> Findings:
    """Total variation distance to the invariant law on an interval, by the transfer operator.

    One limit from every start; a control with 100 times kappa.
    """
    inputs = {"R": 1.0, "eta": 0.5, "G": 1.0, "sigma": 0.8, "d": 1}
    kappa = 1 - float(corrected(**inputs, t=1))
    at = {**inputs, "t": 14, "kappa": kappa}
    exact = measure(**inputs, t=14)
    instance = "with 100 times kappa the bound would be too small"
    less = (1 - 100 * kappa) ** 14
    yield ctx.compare("literal", "corrected", exact, at, instance, bound=less, role="control")
    run = _run(1.0, 0.5, 1.0, 0.5)
    limit = run.stationary(1)
    again = total_variation(run.learned(1, 1, limit), limit)
    instance = "the invariant law, an epoch on"
    yield ctx.compare("literal", "corrected", again, {"t": 1}, instance, bound=1e-10)
    for x in (-1.0, 0.3, 1.0):
        far = total_variation(run.learned(1, 60, Atoms.at(x)), limit)
        at = {"start": x, "t": 60}
        instance = "one limit from every start"
        yield ctx.compare("literal", "corrected", far, at, instance, bound=1e-10)


SIZES = ((1, 0.8), (0.5, 0.8), (1, 0.5), (2, 1.5))
CASES = [(R, 0.5, 1, sigma, 1, t) for R, sigma in SIZES for t in (1, 2, 5, 14)]
# Little noise: after an epoch the law hardly meets the limit, and the bound is near 1 as well.
LITTLE = (1, 0.1, 1, 0.1, 1, 1)
ENDS = Instances("quadratics from an end", case_table("R eta G sigma d t", LITTLE, *CASES))
CHECKS = (Check("sglu.thm3.1", evidence=check, exact_side=measure, at=(ENDS,)),)
