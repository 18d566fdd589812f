"""The orders that safe compares its own with: where it is lower, and where it cannot be."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="safe.cmp",
    label="Comparison after Theorem 2",
    kind="asymptotic",
    statement="O(sqrt T + V_T) is tighter than the dynamic regrets O(sqrt(V_T T)) and O(T^{2/3}), "
    "and than O(T^2) and O(T) of batch unlearning.",
    readings=(
        Reading("literal", "sqrt T + V_T <= sqrt(V_T T)", ("printed",)),
        Reading("cube", "sqrt T + V_T <= T^{2/3}", ("printed",), stance="part"),
        Reading("online", "convex losses revealed after playing: best possible regret on blocks of "
                "random signs", ("printed",), stance="part"),
        Reading("known", "strongly convex smooth risks revealed first: regret of J = 1 step of "
                "descent, eta = 1/(2 L)", ("tight",),
                proofs={"tight": "gaps below 1 add up to V_T at most (Mokhtari et al. 2016)"},
                stance="part"),
        Reading("batch", "O(T^2) and O(T) of the batch methods", ("printed",), stance="part"),
    ),
    natural=Natural("T", (36.0, 100.0, 400.0, 1600.0, 10_000.0), {"V": 40.0}, log_x=True),
    quantity="least regret of any algorithm, convex losses revealed after playing",
    correction="Lower than sqrt(V_T T) only between V_T about 1 and T, impossible there for losses "
    "revealed after playing, and above O(1 + V_T), known where R_t is revealed first.",
)  # fmt: skip
ORDERS = '''"""Safe, after Theorem 2: sqrt T + V against sqrt(V T) and T^(2/3), T = 10,000."""
T = 10_000
for V, other in ((0.5, (0.5 * T) ** 0.5), (1000, T ** (2 / 3))):
    ours = T**0.5 + V
    print(f"V = {V}: {ours:.3f} against {other:.3f}")
    assert ours > other
'''
ONLINE = '''"""Online convex losses: no algorithm has regret sqrt T + V (99 random signs a block).

R_t = s_t w on [-1, 1], s_t = +-1 with equal chances: every algorithm expects 0, and the best point
of each block gains |sum s_t|. The best point moves by 2 with chance 1/2 between blocks.
"""
from math import comb
n, blocks = 99, 101
gain = sum(comb(n, k) * abs(n - 2 * k) for k in range(n + 1)) / 2**n
T, V = n * blocks, blocks - 1
print(f"T = {T}, mean V = {V}: regret {blocks * gain:.1f}, sqrt T + V = {T**0.5 + V:.1f}")
assert blocks * gain > 3 * (T**0.5 + V)
'''


def blocks_of_signs(n: int, blocks: int) -> tuple[float, float]:
    """Expected regret of every algorithm, and of the path (odd n), by enumerating sums of signs."""
    chances = [math.comb(n, k) / 2**n for k in range(n + 1)]
    gain = sum(p * abs(n - 2 * k) for k, p in enumerate(chances))
    sides = sum(p for k, p in enumerate(chances) if 2 * k < n)
    return blocks * gain, (blocks - 1) * 2 * 2 * sides * (1 - sides)


def measure(T: float, V: float) -> float:
    """Least expected regret on blocks of random signs whose best point moves by V at most."""
    blocks = max(1, min(int(V) + 1, int(T)))
    n = int(T) // blocks
    return blocks_of_signs(n - (n + 1) % 2, blocks)[0]


def followed(v: np.ndarray) -> float:
    """Regret of one step u += (w_t* - u)/2 on R_t = (w - w_t*)^2/2, from u_0 = w_0* = 0."""
    gap, total = 0.0, 0.0
    for moved in v:
        gap = (gap - moved) / 2
        total += gap**2 / 2
    return total


def check(ctx: Context) -> Iterator[Evidence]:
    for V in (0.5, 100.0, 1e4):
        at = {"T": 10_000, "V": V}
        ours = float(ctx.formula("printed", **at))
        for reading, other in (("literal", math.sqrt(V * 1e4)), ("cube", 1e4 ** (2 / 3))):
            yield ctx.compare(
                reading, "printed", ours, at, "T = 10,000", bound=other, tight=other,
                script=ORDERS,
            )  # fmt: skip
    for blocks, n in ((101, 99), (31, 33), (ctx.pick(201, 301), 399)):
        regret, path = blocks_of_signs(n, blocks)
        at = {"T": n * blocks, "V": path}
        yield ctx.compare(
            "online", "printed", regret, at, "blocks of random signs, enumerated", script=ONLINE,
            tight=math.sqrt(n * blocks * (1 + path)),
        )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(30, 300)):
        v = rng.random(int(rng.integers(1, 200)))
        at = {"T": v.size, "V": float(v.sum())}
        yield from ctx.compare_forms("known", followed(v), at, "quadratics, steps below 1")
    yield ctx.declare(
        "batch", "printed", "not checkable", "no constants and no setting are given for them"
    )
