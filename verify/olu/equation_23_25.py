"""(23) and (25) of olu: random steps, and sums of steps over arbitrary positions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


def random_steps(rng: np.random.Generator, count: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Arguments of a step on K = [0, 1], and whether the projection left z_next alone."""
    z, star = rng.uniform(size=(2, count))
    g, eta = rng.normal(0, 2, size=count), np.exp(rng.normal(-1, 1, size=count))
    xi = np.where(rng.random(count) < 0.5, 0.0, rng.normal(size=count))
    free = z - eta * g + xi
    inputs = {"z": z, "z_next": np.clip(free, 0, 1), "star": star, "g": g, "xi": xi, "eta": eta}
    return inputs, (free > 0) & (free < 1)


def check_step(ctx: Context) -> Iterator[Evidence]:
    inputs, inside = random_steps(ctx.rng(), ctx.pick(2000, 100_000))
    left = inputs["g"] * (inputs["z"] - inputs["star"])
    right = ctx.claim("printed", **inputs)
    size = np.abs(left) + 1 / inputs["eta"]
    words = "random steps on [0, 1]"
    yield ctx.compare("literal", "printed", left, inputs, words, bound=right + 1e-12 * size)
    found, case = (left / size)[inside], {"count": int(inside.sum())}
    words, bound = "steps that stay inside K attain it", (right / size)[inside]
    yield ctx.compare(
        "literal", "printed", found, case, words, bound=bound, relation="==", tolerance=1e-7
    )


def measure_sum(T: float, D: float, L: float) -> float:
    """A when every z_t but the last is D from z* and every gradient has norm L."""
    eta = D / (L * np.sqrt(np.arange(1, int(T) + 1)))
    squares = np.full(int(T) + 1, D**2)
    squares[-1] = 0.0
    return part_a(squares, eta, np.full(int(T), L))


def part_a(squares: np.ndarray, eta: np.ndarray, g: np.ndarray) -> float:
    """A from |z_t - z*|^2 (T + 1), steps (T), and gradients (T)."""
    return float(np.sum((squares[:-1] - squares[1:]) / (2 * eta) + eta * g**2 / 2))


def check_sum(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for T in (1, 2, 10, 100, 10_000):
        inputs = {"T": T, "D": 1.5, "L": 0.7}
        yield from ctx.compare_forms(
            "literal", measure_sum(**inputs), inputs, "every position but the last far from z*"
        )
    exact = {"T": 10**6, "D": 1.0, "L": 1.0}
    words = "attained as T grows: 0.15 / sqrt T relative at most"
    yield ctx.compare(
        "literal", "corrected", measure_sum(**exact), exact, words, relation="==", tolerance=1e-3
    )
    for _ in range(ctx.pick(100, 2000)):
        T = int(rng.integers(1, 200))
        D, L = np.exp(rng.normal(size=2)).tolist()
        eta = D / (L * np.sqrt(np.arange(1, T + 1)))
        squares = (D * np.clip(rng.normal(0.7, 0.5, size=T + 1), 0, 1)) ** 2
        measured = part_a(squares, eta, L * rng.uniform(-1, 1, size=T))
        yield from ctx.compare_forms(
            "literal", measured, {"T": T, "D": D, "L": L}, "random positions and gradients"
        )


CHECKS = (
    Check("olu.eq23", evidence=check_step),
    Check("olu.eq25", evidence=check_sum, oracle=measure_sum),
)
