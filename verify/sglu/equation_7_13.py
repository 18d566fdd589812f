"""(7)-(13) of sglu: random triples of laws, and what p = q = 2 costs on Gaussians."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from simulators.exact import discrete
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.proposition_d_3 import measure as on_a_line


def measure(alpha: float, x: float, y: float) -> float:
    """Exact divergence of Gaussians x + y apart."""
    return on_a_line(alpha, x, y)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(30, 300)):
        inputs = {
            "alpha": 1 + float(rng.exponential(2)), "x": float(rng.uniform(0, 2)),
            "y": float(rng.uniform(0, 2)),
        }  # fmt: skip
        yield from ctx.compare_forms("literal", measure(**inputs), inputs, "Gaussians on a line")
    equal = {"alpha": 3.0, "x": 0.5, "y": 0.5}
    yield ctx.compare(
        "literal", "tight", measure(**equal), equal, "Gaussians on a line", relation="=="
    )
    both: dict[str, tuple[list[float], list[float]]] = {"printed": ([], []), "corrected": ([], [])}
    for _ in range(ctx.pick(500, 5_000)):
        p, q, r = np.maximum(rng.dirichlet(np.full(3, rng.uniform(0.3, 3)), 3), 1e-9)
        p, q, r = p / p.sum(), q / q.sum(), r / r.sum()
        alpha = 1 + float(rng.exponential()) + 1e-3
        factor = (alpha - 0.5) / (alpha - 1)

        def two(a: np.ndarray, b: np.ndarray, order: float) -> float:
            return max(discrete.renyi(a, b, order), discrete.renyi(b, a, order))

        both["printed"][0].append(two(p, r, alpha))
        both["printed"][1].append(factor * (two(p, q, 2 * alpha) + two(q, r, 2 * alpha)))
        both["corrected"][0].append(discrete.renyi(p, r, alpha))
        both["corrected"][1].append(
            factor * discrete.renyi(p, q, 2 * alpha) + discrete.renyi(q, r, 2 * alpha - 1)
        )
    for form, (left, right) in both.items():
        yield ctx.compare(
            "literal", form, left, {"count": len(left)}, "random laws on 3 points",
            bound=np.array(right) * (1 + 1e-12) + 1e-13, tight=math.nan,
        )  # fmt: skip


CHECKS = (Check("sglu.eq7_13", evidence=check, oracle=measure),)
