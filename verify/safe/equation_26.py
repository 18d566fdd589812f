"""Equation (26) of safe: the gradient in closed form, and its vanishing for one factor q."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.softmax import probabilities, slope

CLAIM = Claim(
    id="safe.eq26",
    label="Equation (26)",
    kind="equality",
    statement="SAFE follows the gradient of eq (25) at w_0.",
    readings=(
        Reading(
            "literal", "q of the sample's own label multiplies f(x; w_0); the gradient is to move "
            "the model", ("printed",),
        ),
        Reading(
            "classes", "a factor for every class; the closed form", ("printed",),
            proofs={"printed": "sum_c grad f_c = 0: only log q^(c) is left, and no normaliser"},
        ),
    ),
    correction="-(lambda/M_t) sum_x sum_c grad f_c(x; w_0) log q^(c)(x).",
)  # fmt: skip


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(200, 4000)):
        classes = int(rng.integers(2, 7))
        logits0, log_factors, direction = rng.normal(size=(3, classes))
        lam = float(np.exp(rng.uniform(-3, 7)))
        inputs = {
            "lam": lam, "logits0": logits0, "log_factors": log_factors, "slopes": direction,
        }  # fmt: skip
        yield ctx.compare(
            "classes", "printed", slope(lam, logits0, log_factors, direction), inputs,
            "a complex step along a random direction, no normaliser", relation="==",
        )  # fmt: skip
        for far in (800.0, -800.0):
            moved = inputs | {"logits0": logits0 + far}
            yield ctx.compare(
                "classes", "printed", slope(lam, logits0, log_factors, direction), moved,
                "the same number added to all logits, whatever its size", relation="==",
            )  # fmt: skip
        joined = {
            "lam": lam, "logits0": [*logits0, logits0.max() - 900],
            "log_factors": [*log_factors, 0.0], "slopes": [*direction, 1.0],
        }  # fmt: skip
        yield ctx.compare(
            "classes", "printed", slope(lam, logits0, log_factors, direction), joined,
            "one more class, of probability e^-900", relation="==",
        )  # fmt: skip
        weights = probabilities(logits0 + log_factors)
        shifted = inputs | {"log_factors": log_factors + rng.normal()}
        yield ctx.compare(
            "classes", "printed", slope(lam, logits0, log_factors, direction, weights), shifted,
            "the target normalised; a constant added to all log q", relation="==",
        )  # fmt: skip
    yield from _linear_model(ctx, rng)
    scalar = [
        slope(1.0, rng.normal(size=4), np.full(4, rng.normal()), rng.normal(size=4))
        for _ in range(ctx.pick(100, 1000))
    ]
    yield ctx.compare(
        "literal", "printed", np.abs(scalar), {"lam": 1.0},
        "under one factor q for all classes the forgetting gradient is 0 for every model",
        bound=1e-9, tight=np.nan, relation=">=", role="class", script="eq26",
    )  # fmt: skip


def _linear_model(ctx: Context, rng: np.random.Generator) -> Iterator[Evidence]:
    """Logits Wx: every entry of the gradient, averaged over several forgotten samples."""
    for _ in range(ctx.pick(5, 50)):
        samples, classes, features = 4, 3, 2
        x = rng.normal(size=(samples, features))
        W, lam = rng.normal(size=(classes, features)), 1.5
        log_q = rng.normal(size=(samples, classes))
        for j in range(classes):
            for k in range(features):
                unit = np.eye(classes)[j]
                exact = np.mean([
                    slope(lam, W @ point, q, unit * point[k])
                    for point, q in zip(x, log_q, strict=True)
                ])  # fmt: skip
                rows = [
                    ctx.formula(
                        "printed", lam=lam, logits0=W @ point, log_factors=q, slopes=unit * point[k]
                    )
                    for point, q in zip(x, log_q, strict=True)
                ]
                yield ctx.compare(
                    "classes", "printed", exact, {"lam": lam, "row": j, "column": k},
                    "logits Wx, four samples, entry by entry", bound=np.mean(rows), tight=np.nan,
                    relation="==",
                )  # fmt: skip
