"""The orders that safe compares its own with: where it is lower, and where it cannot be."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

_HALVED = (
    "A step halves the gap, so that gaps h_t <= (h_{t-1} + v_t)/2 add up to V_T at most. A gap is "
    "below 1 where every v_t is, and then h_t^2/2 <= h_t/2 (Mokhtari et al. 2016)."
)
CLAIM = Claim(
    id="safe.cmp",
    label="Comparison after Theorem 2",
    kind="asymptotic",
    statement="O(sqrt T + V_T) is tighter than the dynamic regrets O(sqrt(V_T T)) and O(T^{2/3}), "
    "and than O(T^2) and O(T) of batch unlearning.",
    readings=(
        Reading(
            "literal", "sqrt T + V_T = O(sqrt(V_T T)), one constant for all T and V_T",
            ("printed",),
        ),
        Reading("cube", "sqrt T + V_T = O(T^{2/3}), one constant for all T and V_T", ("printed",),
                stance="part"),
        Reading("online", "convex losses revealed after playing: best possible regret on blocks of "
                "random signs", ("printed",), stance="part"),
        Reading("known", "strongly convex smooth risks revealed first: regret of J = 1 step of "
                "descent, eta = 1/(2 L)", ("tight",), proofs={"tight": _HALVED},
                stance="part"),
        Reading("batch", "O(T^2) and O(T) of the batch methods", ("printed",), stance="part"),
    ),
    natural=Natural("T", (36.0, 100.0, 400.0, 1600.0, 10_000.0), {"V": 40.0}, log_x=True),
    quantity="least regret of any algorithm, convex losses revealed after playing",
    correction="Of a lower order than sqrt(V_T T) only for V_T between 1 and T, where that is "
    "impossible for losses revealed after playing; of a higher one as V_T -> 0. Above T^{2/3} for "
    "V_T of the order of T. Above O(1 + V_T), known where R_t is revealed first.",
)  # fmt: skip


def blocks_of_signs(n: int, blocks: int) -> tuple[float, float]:
    """Expected regret of every algorithm, and of the path, on blocks of n random signs, n odd.

    E|sum of n signs| = n C(n-1, (n-1)/2)/2^(n-1); either end is a block's best point, with equal
    chances.
    """
    gain = n * math.comb(n - 1, (n - 1) // 2) / 2 ** (n - 1)
    return blocks * gain, float(blocks - 1)


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
    # One sequence (T, V_T) for all constants c of the O.
    for T, c in ((10**6, 10.0), (10**12, 1e3), (10**18, 1e5)):
        for reading, V, other in (
            ("literal", 1 / T, 1.0), ("cube", T / 2, float(T) ** (2 / 3)),
        ):  # fmt: skip
            at = {"T": T, "V": V}
            yield ctx.compare(
                reading, "printed", ctx.formula("printed", **at), {**at, "c": c},
                "V_T = 1/T" if reading == "literal" else "V_T = T/2", bound=c * other, tight=other,
                script="cmp_orders",
            )  # fmt: skip
    for n, c in ((99, 3.0), (999, 10.0), (9999, 30.0)):
        regret, path = blocks_of_signs(n, n)
        at = {"T": n * n, "V": path}
        yield ctx.compare(
            "online", "printed", regret, {**at, "c": c}, "blocks of random signs",
            script="cmp_online",
            bound=c * ctx.formula("printed", **at), tight=math.sqrt(n * n * (1 + path)),
        )  # fmt: skip
    rng = ctx.rng()
    steps = [rng.random(int(rng.integers(1, 200))) for _ in range(ctx.pick(30, 300))]
    for v in (*steps, np.ones(200)):
        at = {"T": v.size, "V": float(v.sum())}
        yield from ctx.compare_forms("known", followed(v), at, "quadratics, steps of 1 at most")
    yield ctx.declare(
        "batch", "printed", "not checkable", "no constants and no setting are given for them"
    )
