"""Theorem 3.1 of sglu: uniqueness, convergence and Doeblin's rate, by the transfer operator."""

from __future__ import annotations

import math
from collections.abc import Iterator

from simulators.exact.line_divergence import total_variation
from simulators.exact.transfer import Atoms
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
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


def check(ctx: Context) -> Iterator[Evidence]:
    base = {"eta": 0.5, "G": 1.0, "d": 1}
    for R, sigma in ((1.0, 0.8), (0.5, 0.8), (1.0, 0.5), (2.0, 1.5)):
        for t in (1, 2, 5, 14):
            inputs = {**base, "R": R, "sigma": sigma, "t": t}
            yield ctx.compare(
                "literal", "corrected", measure(**inputs), inputs, "quadratics from an end"
            )
    import bounds.sglu.theorem_3_1 as formulas

    inputs = {**base, "R": 1.0, "sigma": 0.8, "t": 14}
    kappa = math.exp(formulas.log_kappa(*(inputs[k] for k in ("R", "eta", "G", "sigma", "d"))))
    yield ctx.compare(
        "literal", "corrected", measure(**inputs), {**inputs, "kappa": kappa},
        "with 100 times kappa the bound would be too small",
        bound=(1 - 100 * kappa) ** 14, role="control",
    )  # fmt: skip
    run = _run(1.0, 0.5, 1.0, 0.5)
    limit = run.stationary(1)
    yield ctx.compare(
        "literal", "corrected", total_variation(run.learned(1, 1, limit), limit), {"t": 1},
        "the invariant law after one more epoch", bound=1e-10,
    )  # fmt: skip
    for start in (-1.0, 0.3, 1.0):
        far = total_variation(run.learned(1, 60, Atoms.at(start)), limit)
        yield ctx.compare(
            "literal", "corrected", far, {"start": start, "t": 60}, "one limit from every start",
            bound=1e-10,
        )  # fmt: skip


CHECKS = (Check("sglu.thm3.1", evidence=check, oracle=measure),)
