"""(30) of safe: an identity, in rational numbers and for random vectors."""

from collections.abc import Sequence
from fractions import Fraction

from verify.checks import Check, Context, Findings, Instances, case_table


def measure(model: Sequence[float], ideal: Sequence[float], before: Sequence[float]) -> float:
    """The square of the distance, in rational numbers; `before` does not enter."""
    pairs = zip(model, ideal, strict=True)
    return float(sum(((Fraction(a) - Fraction(b)) ** 2 for a, b in pairs), Fraction(0)))


def check(ctx: Context) -> Findings:
    """Both sides for random vectors; without the inner product as a control."""
    rng = ctx.rng(1)
    at = "random vectors"
    for _ in range(ctx.pick(150, 5000)):
        vectors = rng.normal(size=(3, int(rng.integers(2, 30)))) * float(rng.exponential())
        inputs = dict(zip(("model", "ideal", "before"), vectors.tolist(), strict=True))
        lhs = measure(**inputs)
        yield ctx.compare("literal", "printed", lhs, inputs, at, tolerance=1e-11)
    for inputs in NUMBERS[:2]:
        (a,), (b,), (c,) = inputs.values()
        lhs = (a - c) ** 2 + (b - c) ** 2
        at = "without the inner product"
        yield ctx.compare("literal", "printed", lhs, inputs, at, relation="==", role="control")


NUMBERS = case_table("model ideal before", ([1], [3], [2]), ([0], [1], [-1]), ([2], [2], [5]))
CHECKS = (Check("safe.eq30", check, measure, (Instances("three numbers", NUMBERS),)),)
