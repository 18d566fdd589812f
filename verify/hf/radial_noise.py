"""Two centred Gaussians of unequal scale, told apart by the radius: exact, by quadrature."""

from __future__ import annotations

import math


def hockey_stick(epsilon: float, d: float, ratio: float) -> float:
    """Largest over W and both directions of P(W) - e^epsilon Q(W), N(0, ratio^2 I) and N(0, I).

    Integrates the positive part of p - e^epsilon q over the radius in d dimensions.
    """
    from scipy.integrate import quad
    from scipy.special import gammaln

    if ratio in (0, 1):
        return float(ratio == 0)

    def density(r: float, s: float) -> float:
        log = (d - 1) * math.log(r) - r * r / (2 * s * s) - d * math.log(s)
        return math.exp(log - (d / 2 - 1) * math.log(2) - gammaln(d / 2))

    def one_way(p: float, q: float) -> float:
        # The integrand changes sign where p's density is e^epsilon times q's.
        square = (epsilon + d * math.log(p / q)) / (1 / q**2 - 1 / p**2) * 2
        if square <= 0:
            return 0.0
        cross, width = math.sqrt(square), 12 * max(p, q)
        low, high = (cross, math.sqrt(d) * max(p, q) + width) if p > q else (
            max(math.sqrt(d) * min(p, q) - width, 0.0), cross)  # fmt: skip
        if low >= high:
            return 0.0
        middle = math.sqrt(max(d - 1, 0)) * p
        points = [middle] if low < middle < high else None
        found = quad(
            lambda r: density(r, p) - math.exp(epsilon) * density(r, q) if r > 0 else 0.0,
            low, high, points=points, epsabs=1e-14, epsrel=1e-11, limit=400,
        )  # fmt: skip
        return float(found[0])

    return max(one_way(ratio, 1.0), one_way(1.0, ratio))
