"""(21)-(25) of sglu on an interval: exact quantile couplings of learned and stationary laws."""

from __future__ import annotations

import math
from collections.abc import Iterator

from simulators.exact.line_winf import winf
from simulators.exact.transfer import Atoms
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import ProjectedRun


def _run(
    eta: float, m: float, M: float, b: float, J: float, R: float, drift: float
) -> ProjectedRun:
    return ProjectedRun.linear(
        R=R, eta=eta, m=m, sigma=0.1, b=int(b), J=int(J), old=drift + M, new=drift - M, rest=drift
    )


def measure(
    eta: float, m: float, M: float, b: float, J: float, T: float, R: float,
    drift: float | None = None,
) -> float:  # fmt: skip
    """Exact distance on quadratics, started at the end far from the optimum (m R by default)."""
    run = _run(eta, m, M, b, J, R, -m * R if drift is None else drift)
    return winf(run.stationary(-1), run.learned(1, T, Atoms.at(R)))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = [(0.5, 0.4, 0.2, 1, 2, T, 1.0) for T in (1, 2, 4, 8)]
    for _ in range(ctx.pick(5, 80)):
        cases.append(
            (float(rng.uniform(0.2, 1)), float(rng.uniform(0.05, 0.9)), float(rng.uniform(0.05, 1)),
             int(rng.integers(1, 4)), int(rng.integers(1, 4)), int(rng.integers(1, 7)),
             float(rng.uniform(0.2, 1.2)))
        )  # fmt: skip
    for case in cases:
        inputs = dict(zip(("eta", "m", "M", "b", "J", "T", "R"), case, strict=True))
        for drift in (-inputs["m"] * inputs["R"], 0.0):
            yield from ctx.compare_forms(
                "literal", measure(**inputs, drift=drift), {**inputs, "drift": drift},
                "quadratics on an interval, started at its end", tolerance=1e-8,
            )  # fmt: skip
    yield from _terms(ctx)


def _terms(ctx: Context) -> Iterator[Evidence]:
    """The displays one by one, on a run from one end of the interval to the other."""
    inputs = {"eta": 0.5, "m": 0.4, "M": 0.02, "b": 1, "J": 2, "R": 1.0}
    run, c, R = _run(**inputs, drift=-0.4), 0.8, 1.0
    q = 2 * inputs["eta"] * inputs["M"]
    old, new = run.stationary(1), run.stationary(-1)
    apart = winf(new, old)
    yield ctx.compare(
        "literal", "printed", apart, inputs, "(23): the stationary laws", bound=q / (1 - c**2),
        tight=math.nan,
    )  # fmt: skip
    for T in (1, 3, 6):
        law = run.learned(1, T, Atoms.at(R))
        left, rest = winf(new, law), winf(old, law)
        chosen = {**inputs, "T": T}
        yield ctx.compare(
            "literal", "printed", left, chosen, "(21): the triangle inequality",
            bound=apart + rest, tolerance=1e-8, tight=math.nan,
        )  # fmt: skip
        yield ctx.compare(
            "literal", "printed", winf(law, run.learned(-1, T, Atoms.at(R))), chosen,
            "(22): two runs from one start", bound=q * (1 - c ** (2 * T)) / (1 - c**2),
            tolerance=1e-8, tight=math.nan,
        )  # fmt: skip
        yield ctx.compare(
            "literal", "printed", rest, chosen, "(24): towards the own stationary law",
            bound=2 * R * c ** (2 * T), tolerance=1e-8, tight=math.nan,
        )  # fmt: skip
        yield ctx.compare(
            "literal", "printed", rest, chosen, "(24) with one more epoch would be too small",
            bound=2 * R * c ** (2 * T + 2), role="control",
        )  # fmt: skip


CHECKS = (Check("sglu.eq21_25", evidence=check, oracle=measure),)
