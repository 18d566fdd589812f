"""(19) of olu: the cost of comparators that move, nearly attained by one-sided streams."""

import math
from collections.abc import Sequence

import numpy as np

from simulators.exact.projected_stream import comparator_losses
from verify.checks import Check, Context, Findings
from verify.olu import streams


def measure(T: float, L: float, mu: float, tau: Sequence[float]) -> float:
    """The difference for points at +-R: + up to tau_k and - after it, the first k removed.

    The domain is the hull of the comparators, so that gradients are little more than mu R.
    """
    n, k = int(T), len(tau)
    signs = np.where(np.arange(1, n + 1) <= max(tau), 1.0, -1.0)
    weights = np.cumsum(np.concatenate(([signs.sum()], -signs[:k])))
    stars = weights / (n - np.arange(k + 1))
    R = L / mu / (1 + float(np.abs(stars).max()))
    u = np.arange(1, k + 1)
    points = signs * R
    moving_losses = comparator_losses(points, mu, u, [int(t) for t in tau])
    fixed = comparator_losses(points, mu)
    return abs(float((fixed - moving_losses).sum()))


def check(ctx: Context) -> Findings:
    """Difference of the regrets on streams of + then -, and on random quadratics on boxes."""
    rng = ctx.rng()
    words = "points + then -, the first k removed at half time"
    for T, k in ((400, 1), (2000, 3), (20_000, 10)):
        inputs = {"T": T, "L": 2.0, "mu": 0.5, "tau": list(range(T // 2 + 1 - k, T // 2 + 1))}
        exact = measure(**inputs)
        yield from ctx.compare_forms("literal", exact, inputs, words)
    words = "nine tenths of it would be too little"
    bound = 0.9 * ctx.claim("corrected", **inputs)
    yield ctx.compare("literal", "corrected", exact, inputs, words, bound=bound, role="control")
    measurements = []
    for _ in range(ctx.pick(300, 5000)):
        box, arguments = streams.draw(rng, requests=4)
        fixed = comparator_losses(box.points, box.curvature)
        moving_losses = comparator_losses(
            box.points, box.curvature, arguments["u"], arguments["tau"]
        )
        measurements.append((abs(float((fixed - moving_losses).sum())), arguments))
    for form in ("printed", "corrected"):
        yield streams.compare_many(ctx, "literal", form, measurements, "random quadratics on boxes")
    words = "sum_i i (tau_{i+1} - tau_i) = sum_i (T - tau_i)"
    more = {"relation": "=="}
    for _ in range(20):
        k, T = int(rng.integers(1, 9)), 40
        times = np.sort(rng.integers(1, T + 1, size=k))
        total = float((np.arange(1, k + 1) * np.diff([*times, T])).sum())
        right = float((T - times).sum())
        at = {"T": T, "tau": times}
        yield ctx.compare(
            "literal", "corrected", total, at, words, bound=right, tight=math.nan, **more
        )


CHECKS = (
    Check("olu.eq19", evidence=check, exact_side=measure)
    .measured_by("online", "regret_shift", where=("strong convexity",))
    .beside("worst signs, one step size"),
)
