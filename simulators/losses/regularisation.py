"""A regularisation for which the guarantee says something.

The learned and the retrained law on adjacent data are within Z = q c^{J-1-j0}/(1 - c^J) of each
other (sglu, Lemma 3.5, T -> inf, worst j0 = J - 1), q = 2 eta M/b, c = 1 - eta lambda; but any two
laws on the ball of radius R are within 2R.  With Z >= 2R the guarantee ignores that the data sets
are adjacent: it is vacuous.  The paper's lambda = 1e-6 n gives Z = 2M/(1e-6 n^2) for the full
batch: 0.016 at n = 11,264 but 200 at n = 100.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from accounting.numerics.root import bracketed_root


@dataclass(frozen=True)
class Regularisation:
    """The chosen lambda, the shifts Z it and the paper's 1e-6 n give, and the reason in words."""

    value: float
    shift: float
    diameter: float
    paper_value: float
    paper_shift: float
    reason: str


@typed
def stationary_shift(
    regularisation: float, *, n: int, batch_size: int, bound: float, curvature: float
) -> float:
    """Z = q/(1 - c^J) at the step 1/L, L = curvature + lambda; it decreases as lambda grows."""
    regularisation = validation.scalar(
        "regularisation", regularisation, low=0.0, low_open=True, high_open=True
    )
    n = validation.count("n", n, low=1)
    batch_size = validation.count("batch_size", batch_size, low=1, high=n)
    bound = validation.scalar("bound", bound, low=0.0, high_open=True)
    curvature = validation.scalar("curvature", curvature, low=0.0, high_open=True)
    smooth = curvature + regularisation
    # A curvature lost beside lambda is none.
    contraction = math.log1p(-regularisation / smooth) if smooth > regularisation else -math.inf
    # 1 - c^J by expm1: c is close to 1 for a small lambda.
    return 2.0 * bound / (batch_size * smooth) / -math.expm1(n // batch_size * contraction)


@typed
def choose_regularisation(
    n: int,
    *,
    batch_size: int,
    bound: float,
    curvature: float,
    radius: float,
    fraction: float = 0.1,
) -> Regularisation:
    """The paper's lambda = 1e-6 n where Z <= fraction * 2R, else the least lambda for which it is.

    bound: M, half the gradient difference of the data term.  curvature: L without lambda (logistic
    loss with unit rows: 1/4).  radius: R of the ball.  The step size is taken as 1/L.
    The value is rounded up, so that Z <= fraction * 2R holds as computed.

    Raises ValueError for numbers out of range and when the batch size does not divide n.
    """
    count = validation.count("n", n, low=1)
    size = validation.count("batch_size", batch_size, low=1, high=count)
    if count % size:
        raise ValueError(f"batch_size must divide n = {count}, got {size}")
    half = validation.scalar("bound", bound, low=0.0, low_open=True, high_open=True)
    curve = validation.scalar("curvature", curvature, low=0.0, high_open=True)
    outer = validation.scalar("radius", radius, low=0.0, low_open=True, high_open=True)
    part = validation.scalar("fraction", fraction, low=0.0, high=1.0, low_open=True)

    def shift(value: float) -> float:
        return stationary_shift(value, n=count, batch_size=size, bound=half, curvature=curve)

    target = part * 2.0 * outer
    paper = 1e-6 * count
    if shift(paper) <= target:
        why = "the paper's lambda = 1e-6 n is enough"
        return _report(paper, shift, outer, paper, part, why)
    # Z falls as lambda grows: the paper's lambda is too small, and a larger one is looked for.
    low, high = math.log(paper), math.log(paper) + 1.0
    while shift(math.exp(high)) > target:
        high += 1.0
    root = bracketed_root(
        lambda t: math.log(shift(math.exp(t)) / target),
        low,
        high,
        absolute=1e-15,
        relative=2.0**-50,
    )
    value = math.exp(root)
    while shift(value) > target:
        # The root may end on either side; a few roundings more put Z below the target.
        value *= 1.0 + 1e-14
    why = "the paper's lambda = 1e-6 n is too small for so few rows"
    return _report(value, shift, outer, paper, part, why)


def _report(
    value: float, shift: object, radius: float, paper: float, part: float, why: str
) -> Regularisation:
    assert callable(shift)
    now, before = float(shift(value)), float(shift(paper))
    reason = (
        f"{why}: lambda = {value:.6g} gives Z = {now:.4g}, 1e-6 n = {paper:.4g} gives "
        f"{before:.4g}; two laws on the ball are within 2R = {2 * radius:.4g} anyway, "
        f"and Z <= {part:.3g} * 2R is asked"
    )
    return Regularisation(value, now, 2.0 * radius, paper, before, reason)
