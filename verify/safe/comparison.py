"""The orders that safe compares its own with: where it is lower, and where it cannot be."""

import math

import numpy as np

from verify.checks import Check, Context, Findings, Limit


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
    for shift in v:
        gap = (gap - shift) / 2
        total += gap**2 / 2
    return total


def check(ctx: Context) -> Findings:
    """The printed order over the others along sequences (T, V_T), for growing constants.

    Then regret of blocks of random signs, and of tracking quadratics whose risks are known.
    """
    # One sequence (T, V_T) for all constants c of the O.
    for T, c in ((1e6, 10.0), (1e12, 1e3), (1e18, 1e5)):
        for interpretation, V, other, at in (
            ("all", 1 / T, 1.0, "V_T = 1/T"),
            ("cube", T / 2, T ** (2 / 3), "V_T = T/2"),
        ):
            lhs = ctx.claim("printed", T=T, V=V)
            inputs = {"T": T, "V": V, "c": c}
            options = {"bound": c * other, "tight": other, "script": "cmp_orders"}
            yield ctx.compare(interpretation, "printed", lhs, inputs, at, **options)
    for T in (1.0, 100.0, 1e6, 1e12):
        for V in (1.0, T**0.5, T):
            lhs = ctx.claim("printed", T=T, V=V)
            most = 2 * math.sqrt(V * T)
            options = {"bound": most, "tight": most}
            yield ctx.compare("literal", "printed", lhs, {"T": T, "V": V}, "both rates", **options)
    at = "blocks of random signs"
    for n, c in ((99, 3.0), (999, 10.0), (9999, 30.0)):
        regret, path = blocks_of_signs(n, n)
        inputs = {"T": n * n, "V": path, "c": c}
        tight = math.sqrt(n * n * (1 + path))
        bound = c * ctx.claim("printed", T=n * n, V=path)
        options = {"bound": bound, "tight": tight, "script": "cmp_online"}
        yield ctx.compare("online", "printed", regret, inputs, at, **options)
    rng = ctx.rng()
    steps = [rng.random(int(rng.integers(1, 200))) for _ in range(ctx.pick(30, 300))]
    for v in (*steps, np.ones(200)):
        inputs = {"T": v.size, "V": float(v.sum())}
        yield ctx.compare("known", "tight", followed(v), inputs, "quadratics, steps of 1 at most")
    reason = "no constants and no setting are given for them"
    yield ctx.declare("batch", "printed", "not checkable", reason)


RATES = "compares two rates: no quantity of a run"
LIMITS = {"literal": Limit("two rates are compared, not a regret", searchable=False)}
CHECKS = (Check("safe.cmp", check, measure, limits=LIMITS, exact_only=RATES),)
