"""(30) of safe: an identity, in rational numbers and for random vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


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


CHECKS = (Check("safe.eq30", evidence=check, oracle=measure),)
