"""Equation (21) of safe: one frozen coordinate serves all rounds; one for each round does not."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import NormalDist

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

EQ21 = Claim(
    id="safe.eq21",
    label="Equation (21)",
    kind="definition",
    statement="z = Sigma^{-1/2}(V^T x - mu) with the mean and covariance, at step t, of the points "
    "in D_t with label y.",
    readings=(
        Reading(
            "literal", "mean and variance of class y at step t; both densities of eq (24) take the "
            "same z", ("printed",),
        ),
        Reading("frozen", "mean and variance of D_0, once for all rounds", ("printed",),
                stance="repair"),
    ),
    correction="Standardise once with D_0 (any frozen affine map gives the same ratios) and update "
    "the moments of z by (22) and the corrected (23).",
)  # fmt: skip
_CLASS = {"mean_t": 0.0, "var_t": 1.0, "mean_0": 0.0, "var_0": 2 / 3}
RATIO = Claim(
    id="safe.eq21.ratio",
    label="Equation (21) inside equation (24)",
    kind="equality",
    statement="The quotient of densities in eq (24) may be taken at z, standardised per class and "
    "round.",
    readings=(
        Reading(
            "literal",
            "z of round t in the numerator, z of round 0 in the denominator",
            ("printed", "corrected"),
            proofs={"corrected": "an affine map multiplies both densities by the same Jacobian"},
        ),
    ),
    natural=Natural("x", tuple(np.linspace(-2, 2, 21).tolist()), _CLASS),
    quantity="quotient of the two Gaussian densities",
    correction="Keep one z for both densities, or the factor |Sigma_0|^{1/2}/|Sigma_t|^{1/2}.",
)
CLAIMS = (EQ21, RATIO)


def measure(x: float, mean_t: float, var_t: float, mean_0: float, var_0: float) -> float:
    """The quotient in another frozen coordinate, z = 3 - 2x."""
    return _quotient(x, mean_t, var_t, mean_0, var_0, -2.0, 3.0)


def _quotient(
    x: float, mean_t: float, var_t: float, mean_0: float, var_0: float, a: float, c: float
) -> float:
    """The quotient of the densities of z = a x + c in rounds t and 0."""
    now = NormalDist(a * mean_t + c, abs(a) * var_t**0.5)
    return now.pdf(a * x + c) / NormalDist(a * mean_0 + c, abs(a) * var_0**0.5).pdf(a * x + c)


def check(ctx: Context) -> Iterator[Evidence]:
    yield ctx.compare(
        "literal", "printed", 1.0, {"x": 1.0, "mean": 0.0, "var": 2 / 3},
        "class {-1, 0, 1} without 0 at x = 1: z of round t against z of round 0",
        relation="==", script="eq21",
    )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 300)):
        data = rng.normal(rng.normal(), np.exp(rng.normal()), int(rng.integers(2, 40)))
        moments = {"mean": float(data.mean()), "var": float(data.var())}
        z = ctx.formula("printed", x=data, **moments)
        ends = (float(data.min()), float(data.max()))
        shown = moments | {"n": len(data)}
        for instance, left, right in (
            ("the features of D_0 have variance 1", 1.0, z.var()),
            ("their mean is 0", 1.0, 1.0 + z.mean()),
            ("the order and all proportions stay", np.corrcoef(data, z)[0, 1], 1.0),
            ("z is 1 one deviation above the mean", 1.0,
             ctx.formula("printed", x=moments["mean"] + moments["var"] ** 0.5, **moments)),
        ):  # fmt: skip
            yield ctx.compare(
                "frozen", "printed", left, shown | {"ends": str(ends)}, instance, bound=right,
                tight=np.nan, relation="==", tolerance=1e-10,
            )  # fmt: skip


def check_ratio(ctx: Context) -> Iterator[Evidence]:
    inputs = {"x": 1.0, **_CLASS}
    yield ctx.compare(
        "literal", "printed", measure(**inputs), inputs, "class {-1, 0, 1} without 0, at x = 1",
        relation="==", script="eq21",
    )  # fmt: skip
    rng = ctx.rng()
    count = ctx.pick(300, 5000)
    x, mean_t, mean_0, c = rng.normal(size=(4, count))
    var_t, var_0 = np.exp(rng.uniform(-1, 1, (2, count)))
    a = np.exp(rng.normal(size=count)) * rng.choice([-1.0, 1.0], count)
    drawn = {"x": x, "mean_t": mean_t, "var_t": var_t, "mean_0": mean_0, "var_0": var_0}
    exact = [_quotient(*map(float, row)) for row in zip(*drawn.values(), a, c, strict=True)]
    yield ctx.compare(
        "literal", "corrected", exact, drawn, "any frozen affine coordinate", relation="==",
        tolerance=1e-10,
    )  # fmt: skip
    yield ctx.compare(
        "literal", "corrected", exact, drawn, "standardised anew in every round",
        bound=ctx.formula("printed", **drawn), relation="==", role="control",
    )  # fmt: skip


CHECKERS = {EQ21.id: check, RATIO.id: check_ratio}
MEASURES = {RATIO.id: measure}
