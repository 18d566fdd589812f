"""Lemma 3.4 of sglu, held against AR(1) chains from two points (which attain the tight form)."""

from __future__ import annotations

from collections.abc import Iterator

from simulators.exact.gaussian import Gaussian, step
from simulators.exact.gaussian_divergence import renyi
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


def measure(alpha: float, Z: float, s2: float, c: float, K: float) -> float:
    """Exact divergence of x -> c x + noise from two points at distance Z."""
    chain = step(c, 0.0, s2**0.5).power(int(K))
    return renyi(chain.apply(Gaussian.point(0.0)), chain.apply(Gaussian.point(Z)), alpha)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    corners = [(3, 1, 1, 0.6, 1), (2, 1, 1, 1.0, 20), (2, 1, 1, 1 - 1e-9, 20), (5, 2, 0.1, 0, 3)]
    for _ in range(ctx.pick(60, 1000)):
        corners.append(
            (
                1 + rng.exponential(3),
                rng.exponential(),
                rng.exponential(),
                rng.uniform(),
                rng.integers(1, 80),
            )
        )
    for case in corners:
        inputs = dict(zip(("alpha", "Z", "s2", "c", "K"), map(float, case), strict=True))
        exact = measure(**inputs)
        instance = "AR(1) from two points"
        yield ctx.compare("literal", "printed", exact, inputs, instance)
        yield ctx.compare("literal", "tight", exact, inputs, instance, relation="==")


CHECKS = (Check("sglu.lem3.4", evidence=check, oracle=measure),)
