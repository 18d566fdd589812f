"""Appendix H of sglu: the recursion with several replaced points, attained by quadratics."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from simulators.exact import line_winf
from simulators.exact.gaussian_divergence import winf
from simulators.exact.maps import logistic
from simulators.exact.transfer import Atoms
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.instances import LinearRun, ProjectedRun


def measure(
    eta: float, m: float, M: float, b: float, J: float, W: float, hits: Mapping[int, int]
) -> float:
    """Exact distance after an epoch on quadratics, hits[j] points of batch j moved from M to -M."""
    run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=J, sigma=0.3, hits=hits)
    start = run.stationary(-1)
    return winf(run.learned(1, 1, start.shifted(W)), run.learned(-1, 1, start), rtol=1e-8)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(30, 300)):
        J, b = int(rng.integers(1, 8)), int(rng.integers(1, 6))
        some = rng.choice(J, size=int(rng.integers(1, J + 1)), replace=False)
        inputs: dict[str, Any] = {
            "eta": float(rng.uniform(0.1, 1)), "m": float(rng.uniform(0.01, 0.9)),
            "M": float(rng.exponential()), "b": b, "J": J, "W": float(rng.exponential(3)),
            "hits": {int(j): int(rng.integers(1, b + 1)) for j in some},
        }  # fmt: skip
        exact = measure(**inputs)
        for form in ("printed", "tight"):
            yield ctx.compare(
                "literal", form, exact, inputs, "quadratics, points moved from M to -M",
                relation="==", tolerance=1e-7,
            )  # fmt: skip
    fixed: dict[str, Any] = {
        "eta": 0.8, "m": 0.5, "M": 1.0, "b": 2, "J": 3, "W": 1.0, "hits": {0: 2, 2: 1},
    }  # fmt: skip
    yield ctx.compare(
        "literal", "printed", measure(**fixed), fixed, "one point a batch would be too few",
        bound=ctx.claim("printed", **{**fixed, "hits": {0: 1, 2: 1}}), role="control",
    )  # fmt: skip
    m, eta = 0.5, 0.6
    old, new = logistic(1.0, 1.0, m), logistic(1.0, -1.0, m)
    for hits in ({0: 1, 1: 2}, {1: 2}, {0: 2}):
        batches = [[new] * hits.get(j, 0) + [old] * (2 - hits.get(j, 0)) for j in range(2)]
        box = ProjectedRun(1.5, eta, 0.4, [[old, old]] * 2, batches, 160)
        for start in (1.0, -0.5):
            exact = line_winf.winf(
                box.learned(1, 1, Atoms.at(1.0)), box.learned(-1, 1, Atoms.at(start))
            )
            inputs = {"eta": eta, "m": m, "M": 0.5, "b": 2, "J": 2, "W": 1.0 - start, "hits": hits}
            yield from ctx.compare_forms(
                "literal", exact, inputs, "logistic losses on an interval", tolerance=1e-8,
                tight=math.nan,
            )  # fmt: skip


CHECKS = (Check("sglu.apph", evidence=check, oracle=measure),)
