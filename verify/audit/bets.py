"""One bet against a claim on pairs of two-point draws: an e-variable of the largest growth.

Let X, Y in {0, 1} be independent with P(X = 1) = p, P(Y = 1) = q, and let the claim imply
q <= a p + b.  For any p0 in [0, 1) with q0 = a p0 + b in (0, 1) and 0 <= lambda <= 1/q0,
a lambda <= 1/(1 - p0),

    E = (1 + lambda (Y - q0)) (1 - a lambda (X - p0)) >= 0

has expectation (1 + A)(1 + B) with A = lambda (q - q0), B = -a lambda (p - p0), both factors
nonnegative and A + B = lambda (q - a p - b) <= 0: at most (1 + (A + B)/2)^2 <= 1.  With (p0, q0)
the point of the claim closest to an alternative (p1, q1) in Kullback-Leibler divergence and
lambda = (q1 - q0)/(q0 (1 - q0)), E is the likelihood ratio of the two (Turner, Ly and Grunwald
2024), which grows fastest under (p1, q1); any other choice only grows more slowly.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from verify.audit.curves import Claim

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Bet:
    """log E for the four outcomes, as log_y[Y] + log_x[X]."""

    log_x: tuple[float, float]
    log_y: tuple[float, float]

    def log_factors(self, x: NDArray[np.bool_], y: NDArray[np.bool_]) -> Array:
        """log E of each pair."""
        return np.where(x, self.log_x[1], self.log_x[0]) + np.where(y, self.log_y[1], self.log_y[0])

    def growth(self, p: float, q: float) -> float:
        """Expected log E where the probabilities are p and q."""
        return float(
            p * self.log_x[1]
            + (1 - p) * self.log_x[0]
            + q * self.log_y[1]
            + (1 - q) * self.log_y[0]
        )


def best_bet(claim: Claim, p: float, q: float) -> Bet | None:
    """The bet for the alternative (p, q) in (0, 1)^2; None where the claim admits it."""
    # Alternatives on the curve, up to rounding, leave nothing to bet on.
    if not q > float(claim.most(p)) + 1e-9:
        return None
    place = _closest(claim, p, q)
    # Any line above the claim's curve makes E an e-variable; the tangent at `place` costs no
    # growth.
    slope, cut = (float(v) for v in claim.support(place))
    aim = slope * place + cut
    # Rounding, or a support line that stays above q, leaves no alternative beyond the line.
    if not 0 < aim < q:
        return None
    rate = (q - aim) / (aim * (1 - aim))
    # lambda <= 1/q0 and a lambda <= 1/(1 - p0) keep both factors nonnegative; they bind by rounding
    # or where `place` is not exactly the closest point.
    rate = min(rate, 1 / aim)
    if slope > 0:
        rate = min(rate, (1 - 1e-9) / (slope * (1 - place)))
    payoffs = -rate * aim, rate * (1 - aim), slope * rate * place, -slope * rate * (1 - place)
    # A factor that reaches 0 would ruin the bettor for good: log E stays finite.
    if min(payoffs) <= -1 + 1e-12:
        rate *= 1 - 1e-9
        payoffs = -rate * aim, rate * (1 - aim), slope * rate * place, -slope * rate * (1 - place)
    y0, y1, x0, x1 = (float(v) for v in np.log1p(payoffs))
    bet = Bet((x0, x1), (y0, y1))
    # Without growth at (p, q) itself the bet would lose there, too.
    return bet if bet.growth(p, q) > 0 else None


def _closest(claim: Claim, p: float, q: float) -> float:
    """p0 in [p, q] with (p0, most(p0)) closest to (p, q); the divergence is convex in p0."""
    # The curve is above the diagonal, so at p0 = p only q is off and at p0 = q the claim admits q.
    low, high = p, q
    # Four rounds of a 33-point grid, each 16 times finer: 2^-16 of [p, q]. A coarser optimum loses
    # growth, never validity.
    for _ in range(4):
        positions = np.linspace(low, high, 33)
        aims = np.clip(np.minimum(claim.most(positions), q), 1e-300, 1 - 1e-16)
        best = int(np.argmin(_divergence(p, positions) + _divergence(q, aims)))
        low = positions[max(best - 1, 0)]
        high = positions[min(best + 1, 32)]
    return float(min(max(positions[best], 1e-12), 1 - 1e-12))


def _divergence(p: float, other: Array) -> Array:
    """KL of a two-point law p against two-point laws `other`."""
    divergence = p * (np.log(p) - np.log(other)) + (1 - p) * (np.log1p(-p) - np.log1p(-other))
    return np.asarray(divergence)
