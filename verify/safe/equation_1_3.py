"""(1) to (3) of safe: definitions, compared with minimisation and with sums over the samples."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from bounds.safe.equation_1_3 import _SPLIT
from verify.checks import Check, Context, Findings, Limit
from verify.safe.toy_problems import logistic, quadratics


def measure_1(kept: Sequence[float]) -> float:
    """Where the gradient over the kept samples vanishes, in rational numbers."""
    return float(quadratics(kept, [1] * len(kept)).star(0))


def measure_3(kept: Sequence[float], gone: Sequence[float], w: float, lam: float) -> float:
    """Divergences from the retrained model, sample by sample."""
    leaves = [2] * len(kept) + [1] * len(gone)
    stream = quadratics([*kept, *gone], leaves)
    star, model = stream.star(1), Fraction(w)
    stay, go = (
        sum(stream.divergence(i, model, star) for i in rows)
        for rows in (stream.kept(1), stream.left(1))
    )
    return float(stay + Fraction(lam) * go)


def measure_2(kept: Sequence[float], gone: Sequence[float], w: float) -> float:
    """The same with weight 1."""
    return measure_3(kept, gone, w, 1.0)


def check_1(ctx: Context) -> Findings:
    """Minimisers on a line, and gradients at the minimiser of ridge-logistic losses."""
    rng = ctx.rng()
    at = "quadratics on a line"
    for _ in range(ctx.pick(40, 1000)):
        kept_data = (3 * rng.normal(size=int(rng.integers(2, 12))) + 2).tolist()
        lhs = measure_1(kept_data)
        options = {"relation": "==", "tolerance": 1e-12}
        yield ctx.compare("literal", "printed", lhs, {"kept": kept_data}, at, **options)
    slopes = []
    for _ in range(ctx.pick(10, 200)):
        stream = logistic(rng, 2, d=3)
        w, rows = stream.star(1), stream.kept(1)
        slopes.append(np.linalg.norm(stream.mean_gradient(rows, w)))
        changed = np.linalg.norm(stream.mean_gradient(stream.kept(0), w))
    at = "ridge-logistic losses: gradient at the minimiser"
    yield ctx.compare("literal", "printed", slopes, {}, at, bound=1e-12, tight=1e-12)
    at = "the gradient over D there, F included"
    yield ctx.compare("literal", "printed", changed, {}, at, bound=1e-12, role="control")
    reason = (
        "for |w - x| and an even number of samples every point between the middle two minimises"
    )
    yield ctx.declare("flat", "printed", "unspecified", reason)


def check_divergences(ctx: Context) -> Findings:
    """Sums of divergences sample by sample, for predictions N(w, 1)."""
    rng = ctx.rng()
    exact_side = measure_3 if "lam" in ctx.claim.symbols else measure_2
    for _ in range(ctx.pick(40, 1000)):
        kept_data, removed_data = (
            3 * rng.normal(size=int(k)) + 1 for k in rng.integers(1, 9, size=2)
        )
        inputs = {
            "kept": kept_data.tolist(),
            "gone": removed_data.tolist(),
            "w": float(3 * rng.normal()),
        }
        inputs |= {"lam": float(rng.exponential())} if exact_side is measure_3 else {}
        lhs = exact_side(**inputs)
        at = "predictions N(w, 1), sample by sample"
        yield ctx.compare("literal", "printed", lhs, inputs, at, tolerance=1e-12)
        at_star = {**inputs, "w": float(np.mean(kept_data))}
        at = "zero at the retrained model"
        zero = ctx.claim("printed", **at_star)
        options = {"bound": 1e-28, "tight": 1e-28}
        yield ctx.compare("literal", "printed", zero, at_star, at, relation="<=", **options)


def check_3(ctx: Context) -> Findings:
    yield from check_divergences(ctx)
    lhs = measure_3(**_SPLIT, w=1.0, lam=1.0)
    inputs = {**_SPLIT, "w": 1.0, "lam": 0.7}
    yield ctx.compare(
        "literal", "printed", lhs, inputs, "without the weight", relation="==", role="control"
    )


def _square(p: Mapping[str, Any]) -> float:
    """Size of the squares that the exact side subtracts."""
    return float(max(map(abs, [*p["kept"], *p["gone"], p["w"]])) ** 2)


SQUARED = {"literal": Limit("the model less the rounded mean, squared", size=_square)}
CHECKS = (
    Check("safe.eq1", check_1, measure_1),
    Check("safe.eq2", check_divergences, measure_2, limits=SQUARED),
    Check("safe.eq3", check_3, measure_3, limits=SQUARED),
)
