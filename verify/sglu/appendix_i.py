"""Appendix I of sglu: the recursion on adjacent data, attained by quadratics at every position."""

from __future__ import annotations

import math
from collections.abc import Iterator

from simulators.exact import line_winf
from simulators.exact.gaussian_divergence import winf
from simulators.exact.maps import huber, logistic
from simulators.exact.transfer import Atoms
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import LinearRun, ProjectedRun


def measure(
    eta: float, m: float, M: float, b: float, J: float, j0: float, T: float, W: float
) -> float:
    """Exact distance on quadratics, started from points W apart, one point moved from M to -M."""
    run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=J, sigma=0.3, j0=j0)
    start = run.stationary(-1)
    return winf(run.learned(1, T, start.shifted(W)), run.learned(-1, T, start), rtol=1e-8)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    names = ("eta", "m", "M", "b", "J", "j0", "T", "W")
    # One step (57) with and without the replaced point's batch, one epoch (58), equal starts (60).
    cases: list[tuple[float, ...]] = [
        (0.8, 0.5, 1.0, 2, 1, 0, 1, 3.0), (0.8, 0.5, 0.0, 2, 1, 0, 1, 3.0),
        (0.8, 0.5, 1.0, 2, 3, 0, 1, 3.0), (0.8, 0.5, 1.0, 2, 3, 1, 5, 0.0),
    ]  # fmt: skip
    for _ in range(ctx.pick(25, 250)):
        J = int(rng.integers(1, 8))
        cases.append(
            (float(rng.uniform(0.05, 1)), float(rng.uniform(0.01, 0.9)), float(rng.exponential()),
             int(rng.integers(1, 7)), J, int(rng.integers(J)), int(rng.integers(0, 7)),
             float(rng.exponential(3)))
        )  # fmt: skip
    for case in cases:
        inputs = dict(zip(names, case, strict=True))
        exact = measure(**inputs)
        for form in ("printed", "tight"):
            yield ctx.compare(
                "literal", form, exact, inputs, "quadratics, one point moved from M to -M",
                relation="==", tolerance=1e-7,
            )  # fmt: skip
    first = dict(zip(names, cases[2], strict=True))
    yield ctx.compare(
        "literal", "printed", measure(**first), first, "the kick a step later would be too small",
        bound=ctx.claim("printed", **{**first, "M": 0.6}), role="control",
    )  # fmt: skip
    yield from _projected(ctx)


def _projected(ctx: Context) -> Iterator[Evidence]:
    """Nonlinear losses on an interval, started from two points W apart."""
    m, eta = 0.5, 0.6
    families = {
        "logistic": (logistic(1.0, 1.0, m), logistic(1.0, -1.0, m), 0.5, ()),
        "Huber": (huber(0.4, 1.0, m), huber(-0.4, 1.0, m), 0.4, (-0.6, 0.6, -1.4, 1.4)),
    }
    for name, (old, new, M, breaks) in families.items():
        for j0 in (0, 1):
            batches = [[[old, old] for _ in range(2)] for _ in range(2)]
            batches[1][j0][0] = new
            box = ProjectedRun(1.5, eta, 0.4, batches[0], batches[1], 160, breaks)
            for T, start in ((1, -0.5), (1, 1.0), (3, 1.0)):
                exact = line_winf.winf(
                    box.learned(1, T, Atoms.at(1.0)), box.learned(-1, T, Atoms.at(start))
                )
                inputs = {
                    "eta": eta, "m": m, "M": M, "b": 2, "J": 2, "j0": j0, "T": T, "W": 1.0 - start,
                }  # fmt: skip
                yield from ctx.compare_forms(
                    "literal", exact, inputs, f"{name} losses on an interval", tolerance=1e-8,
                    tight=math.nan,
                )  # fmt: skip


CHECKS = (Check("sglu.appi", evidence=check, oracle=measure),)
