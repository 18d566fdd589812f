"""Lemma D of olu: the modulus of a gradient step, from quadratics and from curved losses."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.checks import Check, Limit
from verify.context import Context
from verify.evidence import Evidence


def modulus(eta: float, beta: float, mu: float = 0.0) -> float:
    """The largest ratio over quadratics of curvature mu and beta (linear losses for mu = 0).

    In exact arithmetic: at eta mu = 1 nothing is left of the distance.
    """
    points, slope, step = (Fraction(7, 10), Fraction(-2, 5)), Fraction(3, 10), Fraction(eta)
    images = [[w - step * (Fraction(h) * w - slope) for w in points] for h in (mu, beta)]
    return max(float(abs((a - b) / (points[0] - points[1]))) for a, b in images)


def curved(rng: np.random.Generator, eta: float, beta: float, mu: float = 0.0) -> np.ndarray:
    """Ratios for (mu/2)|w|^2 + (beta - mu) log cosh(<a, w> - b) in R^3, near and far pairs."""
    count = 300
    w = rng.normal(size=(2, count, 3)) * np.exp(rng.normal(size=(count, 1)))
    a = rng.normal(size=(count, 3))
    a /= np.linalg.norm(a, axis=-1, keepdims=True)
    pull = np.tanh((a * w).sum(-1) - rng.normal(size=count))
    image = w - eta * (mu * w + (beta - mu) * pull[..., None] * a)
    return np.asarray(
        np.linalg.norm(image[0] - image[1], axis=-1) / np.linalg.norm(w[0] - w[1], axis=-1)
    )


def check_smooth(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 200)):
        beta = float(rng.exponential()) + 1e-3
        inputs = {"eta": 2 / beta * float(rng.uniform(0.01, 1)), "beta": beta}
        found = modulus(**inputs)
        yield ctx.compare(
            "literal", "printed", found, inputs, "linear losses", script="lemd_1_linear"
        )
        yield ctx.compare("literal", "corrected", found, inputs, "linear losses", relation="==")
        yield ctx.compare("literal", "corrected", curved(rng, **inputs), inputs, "log cosh losses")


def check_curved(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for n in range(ctx.pick(30, 300)):
        mu = float(np.exp(rng.normal()))
        beta = mu * float(rng.uniform(1.01, 10))
        best = 2 / (beta + mu)
        reading = "literal" if n % 2 else "any"
        eta = best if n % 2 else best * float(rng.uniform(0.05, 1.5))
        inputs = {"eta": eta, "mu": mu, "beta": beta}
        found, others = modulus(**inputs), curved(rng, **inputs)
        exactly = "==" if n % 2 else "<="
        words = "quadratics of curvature mu and beta"
        more = {"relation": exactly, "script": None if n % 2 else "lemd_2_short"}
        yield ctx.compare(reading, "printed", found, inputs, words, **more)
        words = "quadratics of curvature mu and beta"
        yield ctx.compare(reading, "corrected", found, inputs, words, relation="==")
        yield ctx.compare(reading, "corrected", others, inputs, "log cosh losses")


CHECKS = (
    Check("olu.lemd.1", evidence=check_smooth, oracle=modulus),
    Check(
        "olu.lemd.2",
        evidence=check_curved,
        oracle=modulus,
        limits={
            "literal": Limit("eta is rounded", size=lambda p: 1.0),
            "any": Limit("1 less a rounded product", size=lambda p: 1.0),
        },
    ),
)
