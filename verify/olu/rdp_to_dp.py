"""Section 2.2 of olu: the conversion to (eps, delta) against the worst pair of laws."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence


def worst_coin(alpha: float, epsilon: float, delta: float, points: int = 400) -> float:
    """Largest eps' at delta over pairs of coins with D_alpha <= eps: sup log((p - delta)/q).

    Coins suffice: the best test of two laws makes them coins, without raising D_alpha. For each p
    the least q is found by bisection in log q; the maximum over p is refined four times.
    """
    low, high = np.log(delta), 0.0
    for _ in range(4):
        log_p = (
            np.linspace(low, high, points + 2)[1:] if high == 0 else np.linspace(low, high, points)
        )
        p = np.exp(np.minimum(log_p, 0.0))
        left, right = log_p - 2 * epsilon * alpha / (alpha - 1) - 50.0, log_p.copy()
        with np.errstate(divide="ignore", over="ignore"):
            for _ in range(80):
                middle = (left + right) / 2
                first = alpha * log_p + (1 - alpha) * middle
                rest = alpha * np.log1p(-p) + (1 - alpha) * np.log1p(-np.exp(middle))
                within = np.logaddexp(first, rest) <= (alpha - 1) * epsilon
                left, right = np.where(within, left, middle), np.where(within, middle, right)
            value = np.log(np.maximum(p - delta, 0.0)) - right
        best = int(np.argmax(value))
        low, high = log_p[max(best - 1, 0)], log_p[min(best + 1, log_p.size - 1)]
    return float(max(value[best], 0.0))


def measure(alpha: float, epsilon: float, delta: float) -> float:
    """The exact conversion, by the worst pair of coins."""
    return worst_coin(alpha, epsilon, delta)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = [
        (1 + np.log(1 / d) / e, e, d) for e, d in ((0.5, 1e-5), (1, 1e-6), (0.1, 1e-3), (2, 1e-3))
    ]
    for _ in range(ctx.pick(30, 400)):
        e, d = float(np.exp(rng.uniform(-3, 2))), float(np.exp(rng.uniform(-20, -1)))
        cases.append(((1 + np.log(1 / d) / e) * (1 + rng.exponential()), e, d))
    for alpha, epsilon, delta in cases:
        inputs = {"alpha": float(alpha) * (1 + 1e-12), "epsilon": float(epsilon), "delta": delta}
        exact = measure(**inputs)
        yield from ctx.compare_forms("literal", exact, inputs, "the worst pair of coins")
    for alpha, epsilon, delta in ((1.5, 0.1, 1e-3), (3.0, 1.0, 0.01), (40.0, 0.02, 1e-4)):
        inputs = {"alpha": alpha, "epsilon": epsilon, "delta": delta}
        for form in ("corrected", "tight"):
            yield ctx.compare(
                "literal", form, measure(**inputs), inputs, "the worst pair of coins, any order"
            )
    close = {"alpha": 3.0, "epsilon": 1.0, "delta": 1e-3}
    exact = measure(**close)
    words = "half the excess over eps would be too small"
    bound = (1.0 + float(ctx.claim("tight", **close))) / 2
    yield ctx.compare("literal", "tight", exact, close, words, bound=bound, role="control")


CHECKS = (Check("olu.rdp2dp", evidence=check, oracle=measure),)
