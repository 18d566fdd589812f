"""(30) of safe: an identity, in rational numbers and for random vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="safe.eq30",
    label="Equation (30)",
    kind="equality",
    statement="|w_t - w_t*|^2 = |w_t - w_{t-1}*|^2 + |w_t* - w_{t-1}*|^2 - "
    "2 (w_t - w_{t-1}*)^T (w_t* - w_{t-1}*).",
    readings=(
        Reading("literal", "any three vectors", ("printed",),
                proofs={"printed": "|a - b|^2 with a, b measured from w_{t-1}*"}),
    ),
    quantity="square of the tracking error",
)  # fmt: skip


def measure(model: Sequence[float], ideal: Sequence[float], before: Sequence[float]) -> float:
    """The square of the distance, in rational numbers; `before` does not enter."""
    pairs = zip(model, ideal, strict=True)
    return float(sum(((Fraction(a) - Fraction(b)) ** 2 for a, b in pairs), Fraction(0)))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(150, 5000)):
        vectors = rng.normal(size=(3, int(rng.integers(2, 30)))) * float(rng.exponential())
        inputs = dict(zip(("model", "ideal", "before"), vectors.tolist(), strict=True))
        yield ctx.compare(
            "literal", "printed", measure(**inputs), inputs, "random vectors", relation="==",
            tolerance=1e-11,
        )  # fmt: skip
    for a, b, c in ((1, 3, 2), (0, 1, -1), (2, 2, 5)):
        inputs = {"model": [a], "ideal": [b], "before": [c]}
        yield ctx.compare(
            "literal", "printed", measure(**inputs), inputs, "three numbers", relation="=="
        )
        if b not in (a, c):
            yield ctx.compare(
                "literal", "printed", (a - c) ** 2 + (b - c) ** 2, inputs,
                "without the inner product", relation="==", role="control",
            )  # fmt: skip
