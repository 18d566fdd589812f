"""Lemma 3.6 of sglu, attained by linear chains started from their shifted stationary law."""

from __future__ import annotations

from collections.abc import Iterator

from simulators.exact.gaussian import step
from simulators.exact.gaussian_divergence import winf
from verify.checks import Check, Limit
from verify.context import Context
from verify.evidence import Evidence


def measure(c: float, T: float, J: float, W0: float) -> float:
    """Exact distance for x -> c x + noise, started from its stationary law moved by W0."""
    one = step(c, 0.0, 0.3)
    stationary = one.stationary()
    moved = one.power(int(T * J)).apply(stationary.shifted(W0))
    return winf(moved, stationary, rtol=1e-9)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = [(0.6, 5, 3, 2.0), (0.0, 1, 1, 1.0), (0.99, 0, 4, 3.0)]
    for _ in range(ctx.pick(40, 400)):
        cases.append(
            (rng.uniform(0.05, 0.999), rng.integers(0, 6), rng.integers(1, 9), rng.exponential(5))
        )
    for case in cases:
        inputs = dict(zip(("c", "T", "J", "W0"), map(float, case), strict=True))
        exact = measure(**inputs)
        instance = "linear chain from its stationary law, shifted"
        for form in ("printed", "tight"):
            yield ctx.compare(
                "literal", form, exact, inputs, instance, relation="==", tolerance=1e-7
            )


CHECKS = (
    Check(
        "sglu.lem3.6",
        evidence=check,
        oracle=measure,
        limits={"literal": Limit("quantiles are subtracted", size=lambda p: p["W0"])},
    ),
)
