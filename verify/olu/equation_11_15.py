"""(11)-(15) of olu: one step on random boxes, and the sum of the steps on exact streams."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from simulators.exact.quadratic_stream import QuadraticStream
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence

STEP = "the projection does not increase distances to points of K"


def measure_15(T: float, L: float, mu: float) -> float:
    """Regret of quadratics centred at w_t + s_t L/mu, s_t = +-1: every gradient has norm L."""
    return follower(int(T), L, mu).expected_regret()


def follower(T: int, L: float, mu: float, start: float = 0.0) -> QuadraticStream:
    """Quadratics (mu/2)(z - x_t)^2 with x_t = w_t +- L/mu, against steps 1/(mu t)."""
    w, points = start, np.empty(T)
    for t in range(1, T + 1):
        points[t - 1] = w + (L / mu if t % 3 else -L / mu)
        w += (points[t - 1] - w) / t
    return QuadraticStream(points, mu, 1 / (mu * np.arange(1, T + 1)), start)


def _steps(ctx: Context, noisy: bool) -> dict[str, np.ndarray]:
    """Random projected steps in R^3: all scalars that (11)-(13) are about."""
    rng = ctx.rng()
    n = ctx.pick(3000, 100_000)
    half = rng.uniform(0.1, 2, size=(n, 1))
    z, star = (rng.uniform(-1, 1, size=(n, 3)) * half for _ in range(2))
    gradient = rng.normal(size=(n, 3)) * rng.exponential(size=(n, 1))
    noise = rng.normal(size=(n, 3)) * rng.exponential(size=(n, 1)) * noisy
    eta = rng.exponential(size=n)
    target = z + noise - eta[:, None] * gradient
    after = np.clip(target, -half, half)
    inside = (after == target).all(axis=1)
    shifted = z + noise - star

    def norm(v: np.ndarray) -> np.ndarray:
        return np.asarray(np.sqrt((v**2).sum(axis=1)))

    return {
        "r": norm(shifted),
        "g": norm(gradient),
        "p": (gradient * shifted).sum(axis=1),
        "eta": eta,
        "s": norm(after - star),
        "q": (gradient * noise).sum(axis=1),
        "plain": (gradient * (z - star)).sum(axis=1),
        "inside": inside,
    }


def _take(found: dict[str, np.ndarray], names: str, rows: Any) -> dict[str, np.ndarray]:
    return {name: found[name][rows] for name in names.split()}


def _one_step(ctx: Context, noisy: bool) -> Iterator[Evidence]:
    found = _steps(ctx, noisy)
    for rows, relation in ((slice(None), "<="), (found["inside"], "==")):
        inputs = _take(found, "r g p eta", rows)
        left = found["s"][rows] ** 2
        words = "random steps in boxes" if relation == "<=" else "those that stay inside"
        yield ctx.compare(
            "literal", "printed", left, inputs, words, relation=relation, tolerance=1e-7
        )
    words = "half the square of the step"
    bound = ctx.claim("printed", **inputs) - inputs["eta"] ** 2 * inputs["g"] ** 2 / 2
    yield ctx.compare(
        "literal", "printed", found["s"][rows] ** 2, inputs, words, bound=bound, role="control"
    )


def check_11(ctx: Context) -> Iterator[Evidence]:
    yield from _one_step(ctx, noisy=False)


def check_12(ctx: Context) -> Iterator[Evidence]:
    yield from _one_step(ctx, noisy=True)


def check_13(ctx: Context) -> Iterator[Evidence]:
    found = _steps(ctx, noisy=True)
    for rows, relation in ((slice(None), "<="), (found["inside"], "==")):
        inputs = _take(found, "r s g q eta", rows)
        # Both sides are differences: they are compared where nothing large has cancelled.
        size = inputs["r"] ** 2 / inputs["eta"] + inputs["g"] ** 2 * inputs["eta"]
        left = found["plain"][rows] + size
        words = "random steps in boxes" if relation == "<=" else "those that stay inside"
        bound = ctx.claim("printed", **inputs) + size
        yield ctx.compare(
            "literal",
            "printed",
            left,
            inputs,
            words,
            bound=bound,
            tight=math.nan,
            relation=relation,
            tolerance=1e-7,
        )
    words = "without the product with the noise"
    bound = ctx.claim("printed", **{**inputs, "q": np.zeros_like(inputs["q"])})
    yield ctx.compare(
        "literal", "printed", found["plain"][rows], inputs, words, bound=bound, role="control"
    )


def check_14(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 300)):
        T, d, mu = int(rng.integers(5, 60)), int(rng.integers(1, 4)), float(rng.uniform(0.3, 3))
        k = int(rng.integers(0, 4))
        tau = np.sort(rng.integers(2, T + 1, size=k))
        sigmas = rng.exponential(size=k)
        t = np.arange(1, T + 1)
        stream = QuadraticStream(rng.normal(size=(T, d)), mu, 1 / (mu * t))
        means, variances = stream.laws(tau, sigmas)
        square = ((means[:-1] - stream.points) ** 2).sum(axis=1) + d * variances[:-1]
        last = ((means[-1] - stream.comparators()[0]) ** 2).sum() + d * variances[-1]
        A = float((mu * square / (2 * t)).sum() - mu * T * last / 2)
        B = float(d * (sigmas**2 * mu * (tau - 1)).sum() / 2)
        exact = stream.expected_regret((), tau, sigmas, moving=False)
        inputs = {"A": A, "B": B, "T": T, "d": d, "mu": mu}
        yield ctx.compare(
            "literal", "printed", exact, inputs, "quadratics on R^d: equality", relation="=="
        )
    words = "without the last distance E A would be too large"
    bound = A + B + mu * T * last / 2 + 1.0
    yield ctx.compare(
        "literal", "printed", exact, inputs, words, bound=bound, relation="==", role="control"
    )


def check_15(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for T in (1, 2, 3, 10, 50, *rng.integers(1, 400, size=ctx.pick(10, 100)).tolist()):
        inputs = {"T": T, "L": float(rng.exponential()), "mu": float(rng.exponential())}
        exact = measure_15(**inputs)
        yield ctx.compare("literal", "printed", exact, inputs, "losses that follow the learner")
        yield ctx.compare(
            "literal", "corrected", exact, inputs, "losses that follow the learner", relation="=="
        )


CHECKS = (
    Check("olu.eq11", evidence=check_11),
    Check("olu.eq12", evidence=check_12),
    Check("olu.eq13", evidence=check_13),
    Check("olu.eq14", evidence=check_14),
    Check("olu.eq15", evidence=check_15, oracle=measure_15),
)
