"""Last lines of the proof of Theorem 2(ii) of safe: coefficients too small, in exact fractions."""

from fractions import Fraction
from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings


def total(units: Any, optima: Any, start: Any, gamma: Any) -> Any:
    """sum_{t<T} nabla_{t+1}.(w_t - w_t*) on a line or, with arrays of vectors, in a space.

    units, optima: T + 1 entries each, of rounds 0 to T.
    """
    partial_sum = 0
    for t in range(len(units) - 1):
        inner = (units[t + 1] - units[t]) * (start - gamma * units[t] - optima[t])
        partial_sum = partial_sum + (inner.sum() if isinstance(inner, np.ndarray) else inner)
    return partial_sum


def alternating(T: int, radius: Any) -> tuple[list[int], list[Any]]:
    """Opposite unit vectors, w_t* at radius times each: V_T = radius (2T - 1)."""
    units = [0, *((-1) ** t for t in range(1, T + 1))]
    return units, [radius * x for x in units]


def measure(U: float, W: float, K: float, T: float, V: float) -> float:
    """The sum for alternating unit vectors whose w_t* move along until the path V is spent."""
    units, optima = alternating(int(T), W)
    budget, positions = V, [0.0]
    for t in range(1, int(T) + 1):
        distance = abs(optima[t] - positions[-1])
        share = min(1.0, budget / distance) if distance else 0.0
        budget -= share * distance
        positions.append(positions[-1] + share * (optima[t] - positions[-1]))
    return U * float(total(units, positions, 0.0, (W / T) ** 0.5 / K))


def check(ctx: Context) -> Findings:
    """The sum of inner products for alternating unit vectors in fractions, and random ones."""
    for T in (100, 2500, 250_000 if ctx.profile == "full" else 10_000):
        for K, radius in ((Fraction(1, 2), 0), (Fraction(1), 1)):
            gamma = 1 / (K * int(T**0.5))
            units, optima = alternating(T, radius)
            inputs = {"U": 1.0, "W": 1.0, "K": float(K), "T": T, "V": radius * (2.0 * T - 1)}
            lhs = float(total(units, optima, 0, gamma))
            at = "alternating unit vectors, in fractions"
            yield from ctx.compare_forms("literal", lhs, inputs, at, script="thm2ii_const")
    rng = ctx.rng()
    instances = []
    for _ in range(ctx.pick(300, 5000)):
        T, d = int(rng.integers(1, 12)), int(rng.integers(1, 4))
        W, K = np.exp(rng.normal(size=2))
        turns = rng.normal(size=(T + 1, d))
        turns /= np.linalg.norm(turns, axis=1)[:, None]
        turns[0] = 0
        positions = rng.normal(size=(T + 2, d))
        positions *= (W * rng.random(T + 2) / np.linalg.norm(positions, axis=1))[:, None]
        gamma = np.sqrt(W / T) / K
        V = np.linalg.norm(np.diff(positions[1:], axis=0), axis=1).sum()
        instances.append((total(turns, positions[1:], positions[0], gamma), W, K, T, V))
    sums, *columns = np.array(instances).T
    inputs = {"U": 1.0, **dict(zip(("W", "K", "T", "V"), columns, strict=True))}
    yield ctx.compare("literal", "corrected", sums, inputs, "random vectors")


CHECKS = (
    Check(
        "safe.thm2ii.const",
        check,
        measure,
        far=(
            "opposite unit vectors in every round attain it, and gradients of one table hardly turn"
        ),
    ).measured_by(
        "safe",
        "turned_regret",
        where=("no noise", "the printed step", "minimisers in the ball"),
    ),
)
