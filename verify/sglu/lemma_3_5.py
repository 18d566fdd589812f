"""Lemma 3.5 of sglu: attained by quadratics for every batch position; below it with projection."""

from __future__ import annotations

import math
from collections.abc import Iterator

from simulators.exact import gaussian_divergence, line_winf
from verify.checks import Check, Limit
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu import real_data
from verify.sglu.instances import LinearRun, ProjectedRun


def measure(
    eta: float, m: float, M: float, b: float, J: float, T: float, j0: float, R: float,
    sigma: float = 0.3,
) -> float:  # fmt: skip
    """Exact distance on quadratics with one point moved from M to -M, started at 0."""
    if math.isinf(R):
        run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=J, sigma=sigma, j0=j0)
        return gaussian_divergence.winf(run.learned(1, T), run.learned(-1, T), rtol=1e-9)
    box = ProjectedRun.linear(
        R=R, eta=eta, m=m, sigma=sigma, b=int(b), J=int(J), old=M, new=-M, j0=int(j0)
    )
    return line_winf.winf(box.learned(1, T), box.learned(-1, T))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases: list[tuple[float, ...]] = [
        (0.8, 0.5, 1.0, 2, 3, T, j) for T in (1, 2, 5) for j in range(3)
    ]
    cases += [(0.5, 0.0, 1.0, 1, 4, 7, 1), (2.0, 0.5, 1.0, 1, 3, 4, 1)]
    cases.append((0.1, 0.3, 2.0, 5, 2, math.inf, 0))
    for _ in range(ctx.pick(40, 400)):
        J = int(rng.integers(1, 9))
        eta, M = float(rng.uniform(0.05, 1)), float(rng.exponential())
        cases.append(
            (eta, float(rng.uniform(0.01, 0.9)), M, int(rng.integers(1, 9)), J,
             int(rng.integers(1, 12)), int(rng.integers(J)))
        )  # fmt: skip
    for case in cases:
        inputs = dict(zip(("eta", "m", "M", "b", "J", "T", "j0"), case, strict=True))
        inputs["R"] = math.inf
        exact = measure(**inputs)
        for form in ("printed", "tight"):
            yield ctx.compare(
                "literal", form, exact, inputs, "quadratics, one point moved from M to -M",
                relation="==", tolerance=1e-8,
            )  # fmt: skip
    inputs = dict(zip(("eta", "m", "M", "b", "J", "T", "j0"), cases[4], strict=True))
    yield ctx.compare(
        "literal", "printed", measure(**inputs, R=math.inf), {**inputs, "R": math.inf},
        "the bound with one more contraction would be too small",
        bound=ctx.claim("printed", **inputs, R=math.inf) * (1 - inputs["eta"] * inputs["m"]),
        role="control",
    )  # fmt: skip
    for R in (0.6, 1.2) if ctx.profile == "quick" else (0.3, 0.6, 1.2, 2.0, 4.0):
        for T, j0 in ((1, 0), (2, 2), (5, 1)):
            inputs = {"eta": 0.8, "m": 0.5, "M": 1.0, "b": 2, "J": 3, "T": T, "j0": j0, "R": R}
            exact = measure(**inputs)
            yield from ctx.compare_forms(
                "literal", exact, inputs, "quadratics on an interval, transfer operator"
            )
    capped = {"eta": 1.0, "m": 0.1, "M": 6.0, "b": 1, "J": 2, "T": 8, "j0": 1, "R": 0.5}
    yield ctx.compare(
        "literal", "printed", measure(**capped), capped,
        "the data push the whole law from one end of the interval to the other",
        relation="==", tolerance=1e-6,
    )  # fmt: skip
    yield from real_data.distances(ctx, "literal", ("printed", "tight"))


CHECKS = (
    Check(
        "sglu.lem3.5",
        evidence=check,
        oracle=measure,
        limits={"literal": Limit("quantiles are subtracted", size=lambda p: p["R"])},
    ),
)
