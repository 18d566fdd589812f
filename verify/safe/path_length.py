"""V_T of safe: the definition, and bounds by the sizes of the deletions with what attains them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.toy_worlds import World, logistic, quadratics, random_lists


def measure(data: Sequence[float], leaves: Sequence[float], T: float) -> float:
    """The jumps of the minimiser, in rational numbers."""
    world = quadratics(data, leaves)
    stars = [world.star(t) for t in range(int(T) + 1)]
    return float(sum(abs(b - a) for a, b in pairwise(stars)))


def tight_stream(
    L: Fraction, mu: Fraction, n: int, deletions: Sequence[int]
) -> tuple[list[Fraction], Fraction]:
    """Optimal models w_0*..w_T* of a stream on a line, and the largest gradient along the path.

    Kept losses mu w^2/2; those of round t have gradient max(mu (w - c_t), -L), c_t such that the
    corner is at w_t*. The optimal models are found backwards, each as the zero of a mean gradient.
    """
    stars, centres = [Fraction(0)], []  # newest first
    sizes = [(n - sum(deletions), Fraction(0))]

    def slope(w: Fraction) -> Fraction:
        return sum((k * max(mu * (w - c), -L if c else mu * w) for k, c in sizes), Fraction(0))

    for m in reversed(deletions):
        centres.append(stars[-1] + L / mu)
        sizes.append((m, centres[-1]))
        # Linear to the right of the last optimal model: two values give the zero.
        low, high = stars[-1], stars[-1] + 1
        stars.append(low - slope(low) / (slope(high) - slope(low)))
        if slope(stars[-1]) != 0:
            raise ArithmeticError("the mean gradient is not zero at the model found")
    ends = (stars[-1], stars[0])
    steepest = [abs(mu * w) for w in ends]
    steepest += [abs(max(mu * (w - c), -L)) for c in centres for w in ends]
    return stars[::-1], max(steepest)


def measure_sum(L: float, mu: float, n: float, deletions: Sequence[float]) -> float:
    """Path length of `tight_stream`."""
    stars, _ = tight_stream(Fraction(L), Fraction(mu), int(n), [int(m) for m in deletions])
    return float(sum(abs(b - a) for a, b in pairwise(stars)))


def measure_ridge(L: float, mu: float, n: float, deletions: Sequence[float]) -> float:
    """Path length for losses -L x w + mu w^2/2, x = +1 kept and -1 for all that leave."""
    counts = [int(m) for m in deletions]
    slope, stars = Fraction(L), []
    for left in accumulate(counts, initial=0):
        minus, plus = sum(counts) - left, int(n) - sum(counts)
        stars.append(slope * (plus - minus) / (plus + minus) / Fraction(mu))
    return float(sum(abs(b - a) for a, b in pairwise(stars)))


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for k in range(ctx.pick(40, 1000)):
        inputs = {**random_lists(rng, 3), "T": 1 + k % 3}
        yield ctx.compare(
            "literal", "printed", measure(**inputs), inputs, "means on a line", relation="==",
            tolerance=1e-11,
        )  # fmt: skip
    lists, each = random_lists(rng, 3), np.array([1, 2, 3])
    yield ctx.compare(
        "literal", "printed", [measure(**lists, T=t) for t in (1, 2, 3)], {**lists, "T": each},
        "means on a line, all rounds at once", relation="==", tolerance=1e-11,
    )  # fmt: skip
    ends = {"data": [0.0, 9.0, -9.0], "leaves": [3, 1, 2], "T": 2}
    yield ctx.compare(
        "literal", "printed", 0.0, ends, "the distance of the ends, a loop", relation="==",
        role="control",
    )  # fmt: skip
    yield ctx.declare(
        "flat", "printed", "unspecified",
        "w_t* is a choice among several points, and V_T with it: |w - x| on an even number",
    )  # fmt: skip


def _draw(rng: np.random.Generator, most: float) -> dict[str, Any]:
    """Constants and sizes with sum m_t/n_{t-1} <= most."""
    while True:
        n = int(rng.integers(3, 60))
        deletions = [int(m) for m in rng.integers(0, 8, size=int(rng.integers(1, 6)))]
        if 0 < sum(deletions) < n:
            before = [n - left for left in accumulate(deletions[:-1], initial=0)]
            if sum(Fraction(m, k) for m, k in zip(deletions, before, strict=True)) <= most:
                L, mu = np.exp(rng.normal(size=2)).tolist()
                return {"L": L, "mu": mu, "n": n, "deletions": deletions}


def _random_ridge(rng: np.random.Generator) -> tuple[World, dict[str, Any], float, float, float]:
    """A ridge-logistic stream: sizes and mu, V_T, and L of the three hypotheses."""
    mu, T = float(rng.uniform(0.02, 1)), 3
    world = logistic(rng, T, mu=mu)
    stars = [world.star(t) for t in range(T + 1)]
    V = sum(float(np.linalg.norm(b - a)) for a, b in pairwise(stars))
    leaving = max(
        float(np.linalg.norm(world.gradient(i, stars[t])))
        for t in range(1, T + 1)
        for i in world.request(t)
    )
    h = max(world.slopes)
    reach = max(float(np.linalg.norm(w)) for w in stars)
    sizes = {
        "mu": mu, "n": len(world.leaves), "deletions": [len(world.request(t + 1)) for t in range(T)]
    }  # fmt: skip
    return world, {**sizes, "V": V}, leaving, h, h + mu * reach


def check_sum(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 1000)):
        inputs = _draw(rng, 1.0)
        exact = [Fraction(inputs["L"]), Fraction(inputs["mu"]), inputs["n"], inputs["deletions"]]
        _, steepest = tight_stream(*exact)
        yield ctx.compare(
            "literal", "tight", measure_sum(**inputs), inputs, "one-sided losses on a line",
            relation="==",
        )  # fmt: skip
        yield ctx.compare(
            "literal", "tight", float(steepest), inputs, "their largest gradient along the path",
            bound=inputs["L"], tight=inputs["L"], tolerance=1e-12,
        )  # fmt: skip
        late = _draw(rng, 9.0)
        yield ctx.compare(
            "leaving", "tight", measure_sum(**late), late, "one-sided losses on a line",
            relation="==",
        )  # fmt: skip
    for _ in range(ctx.pick(30, 600)):
        _, inputs, leaving, _, everywhere = _random_ridge(rng)
        for reading, L in (("leaving", leaving), ("literal", everywhere)):
            yield ctx.compare(
                reading, "tight", inputs["V"], {**inputs, "L": L}, "random ridge-logistic losses"
            )


def check_log(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    drawn = [_draw(rng, 1.0) for _ in range(ctx.pick(40, 1000))]
    slow = [
        {"L": 1.0, "mu": 0.1, "n": n, "deletions": [1] * T} for n, T in ((2000, 20), (10000, 60))
    ]
    for instance, cases in (("one-sided losses on a line", drawn), ("one sample a round", slow)):
        for inputs in cases:
            V, upper = measure_sum(**inputs), ctx.claim("tight", **inputs)
            sizes = accumulate(inputs["deletions"], lambda k, m: k - m, initial=inputs["n"])
            ratio = max(a / b for a, b in pairwise(sizes))
            yield ctx.compare("literal", "tight", V, inputs, instance)
            yield ctx.compare(
                "below", "tight", V, inputs, instance, bound=upper / ratio, tight=upper,
                relation=">=",
            )  # fmt: skip
    for _ in range(ctx.pick(20, 400)):
        _, inputs, _, _, everywhere = _random_ridge(rng)
        yield ctx.compare(
            "literal", "tight", inputs["V"], {**inputs, "L": everywhere},
            "random ridge-logistic losses",
        )  # fmt: skip


def check_ridge(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 1000)):
        inputs = _draw(rng, 9.0)
        yield ctx.compare(
            "literal", "tight", measure_ridge(**inputs), inputs, "linear h on a line",
            tolerance=1e-12,
        )  # fmt: skip
        once = {**inputs, "deletions": [0, sum(inputs["deletions"]), 0]}
        yield ctx.compare(
            "once", "tight", measure_ridge(**once), once, "linear h on a line", relation="==",
        )  # fmt: skip
    for _ in range(ctx.pick(20, 400)):
        _, drawn, _, h, _ = _random_ridge(rng)
        yield ctx.compare(
            "literal", "tight", drawn["V"], {**drawn, "L": h}, "random ridge-logistic losses"
        )


CHECKS = (
    Check("safe.vt", evidence=check, oracle=measure),
    Check("safe.vt.sum", evidence=check_sum, oracle=measure_sum),
    Check("safe.vt.log", evidence=check_log, oracle=measure_sum),
    Check("safe.vt.ridge", evidence=check_ridge, oracle=measure_ridge),
)
