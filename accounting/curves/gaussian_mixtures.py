"""(epsilon, delta) of Gaussian mixtures, enclosed.

A side is N(0, 1) mixed by a law of mu, or N(0, 1) itself.  The test says yes above -z; a and b
are the chances of yes on the two sides, increasing in z, and r = a'/b'.  For mu >= 0 on the first
side and mu <= 0 on the second r falls, so that H_gamma = max_z a(z) - gamma b(z) is attained at z
for gamma = r(z) and no other, and delta = a - r b rises with z: one root gives epsilon.  For any
two sides every z gives a pair below the truth.
"""

import math
from collections.abc import Callable

import scipy

from accounting.curves.discrete_sums import Contour, Law, Value, cumulant, saddle
from accounting.numerics.root import bracketed_root

_ROOM = 2.0**-48
_FARTHEST = 1e12  # no law that is told apart at all has its z beyond
_LEAST_TILT = 0.25
_NEAR = 1e-3  # of the z for which a contour is chosen
_ROUGH = 4  # steps to a first guess of z
_STEEP, _LEAST = 37.0, 5e-324  # of z: beyond, Phi/phi is no float; the least number > 0


def _normal(z: float) -> tuple[Value, Value]:
    """Phi and phi at z, on one scale: that of phi, which is the smaller."""
    log = -z * z / 2 - 0.5 * math.log(2 * math.pi)
    if z > _STEEP:  # on the scale of Phi, beside which phi is hardly a float
        density = math.exp(log) if log > -(_STEEP**2) / 2 else 0.0
        return Value(0.0, 1.0, _ROOM), Value(0.0, density, density * _ROOM * z * z + _LEAST)
    if z < 5:
        # erfcx overflows for large z; there Phi is nearly 1 and log_ndtr has all its digits.
        mills = math.sqrt(math.pi / 2) * float(scipy.special.erfcx(-z / math.sqrt(2)))
    else:
        mills = math.exp(float(scipy.special.log_ndtr(z)) - log)
    # The exponent is rounded by its own ulps, which an exponential turns into relative error.
    error = _ROOM * (1 + abs(log))
    return Value(log, mills, mills * error), Value(log, 1.0, error)


class MixtureCurve:
    """Two sides (None: N(0, 1)), near the point where delta is asked for."""

    def __init__(self, first: Law | None, second: Law | None, delta: float) -> None:
        self.sides = (first, second)
        # delta is a part of the power a at the best z: five times as much is a fair guess.
        self.start = self._guess(min(5 * delta, 0.4))
        self.aim(self.start)

    def _guess(self, level: float) -> float:
        """z where a has this level."""
        law = self.sides[0]
        if law is None:
            return float(scipy.special.ndtri(level))
        wanted = math.log(level)

        def excess(s: float) -> tuple[float, float]:
            log, mean, variance = cumulant(law, s)
            # The saddle-point estimate of P(Y > mean), the normal tail's factor put as 1/(2 + 2.5
            # x).
            return log - s * mean - math.log(2 + 2.5 * s * math.sqrt(variance)) - wanted, mean

        low, above, high = 0.0, -math.log(2) - wanted, 1.0
        below, mean = excess(high)
        # A bracket for s, doubled until the tail is below the level.
        while below > 0 and high < 1e4:
            low, above, high = high, below, 2 * high
            below, mean = excess(high)
        for _ in range(_ROUGH if above > 0 >= below else 0):
            middle = low + (high - low) * above / (above - below)
            value, mean = excess(middle)
            low, above, high, below = (
                (middle, value, high, below) if value > 0 else (low, above, middle, value)
            )
        return -mean

    def aim(self, z: float) -> None:
        """Take the contours that are best for this z."""
        self.lines = [
            None if law is None else Contour(law, max(saddle(law, -z), _LEAST_TILT))
            for law in self.sides
        ]

    def at(self, z: float) -> tuple[Value, Value, Value, Value]:
        """a, a', b, b'; those of one letter on one scale."""
        (a, a_slope), (b, b_slope) = (
            _normal(z) if line is None else line.at(-z) for line in self.lines
        )
        return a, a_slope, b, b_slope

    def holds(self, z: float) -> tuple[float, float]:
        """log gamma and log delta such that H_gamma <= delta, both rounded up."""
        a, a_slope, b, b_slope = self.at(z)
        # Nothing is known of the ratio from above: no gamma is certified at this z.
        if b_slope.down == 0:
            return math.inf, 0.0
        log_gamma = a.log - b.log + math.log(a_slope.up) - math.log(b_slope.down)
        # H at the true ratio r <= gamma, and H falls in gamma: a - r b with r b rounded down.
        delta = a.up - a_slope.down * (b.down / b_slope.up)
        return log_gamma + _ROOM * (1 + abs(log_gamma)), _log(delta, a.log)

    def fails(self, z: float) -> tuple[float, float]:
        """log gamma and log delta such that H_gamma >= delta, both rounded down."""
        a, a_slope, b, b_slope = self.at(z)
        # The trivial lower bound: the ratio may be 0.
        if a_slope.down == 0:
            return -math.inf, -math.inf
        log_gamma = a.log - b.log + math.log(a_slope.down) - math.log(b_slope.up)
        # Any z gives a - gamma b <= H_gamma, here at this very gamma with b rounded up.
        delta = a.down - a_slope.down * (b.up / b_slope.up)
        return log_gamma - _ROOM * (1 + abs(log_gamma)), _log(delta, a.log)


def _log(value: float, scale: float) -> float:
    if not value > 0:
        return -math.inf
    return math.log(value) + scale


def epsilon(first: Law | None, second: Law | None, delta: float, *, up: bool = True) -> float:
    """The least epsilon >= 0 at delta in (0, 1), rounded up; `up` = False: a lower bound."""
    return solve(first, second, delta, up=up)[0]


def solve(
    first: Law | None, second: Law | None, delta: float, *, up: bool = True
) -> tuple[float, float]:
    """epsilon, as above, and the z that attains it (inf where epsilon = 0)."""
    curve = MixtureCurve(first, second, delta)
    bound = curve.holds if up else curve.fails
    target = math.log(delta) + (-_ROOM if up else _ROOM) * (1 - math.log(delta))
    # Coarsely with the contours of the guess, then finely with those of the z that was found.
    z = _crossing(bound, target, curve.start, 0.125, _NEAR)
    if math.isfinite(z):
        curve.aim(z)
        z = _crossing(bound, target, z, 2 * _NEAR, 1e-13)
    if z == math.inf:
        return 0.0, z
    if z == -math.inf:
        return (math.inf if up else 0.0), z
    # The root may be on the wrong side: steps that double, until the bound holds itself.
    step = 2.0**-50 * max(abs(z), 1.0)
    for _ in range(60):
        log_gamma, log_delta = bound(z)
        if (log_delta <= target) if up else (log_delta >= target):
            return max(log_gamma, 0.0), z
        z, step = z - step if up else z + step, 2 * step
    return (math.inf if up else 0.0), z


def _crossing(
    bound: Callable[[float], tuple[float, float]],
    target: float,
    z: float,
    step: float,
    tolerance: float,
) -> float:
    """z where log delta is the target; inf where gamma is below 1 before, -inf where it is none.

    The search begins with a step from z.
    Where the errors of the enclosure are above the target no z attains it.
    """
    # Kept, as the bracketing, the test for gamma and the root ask for the same points.
    bounds: dict[float, tuple[float, float]] = {}

    def at(z: float) -> tuple[float, float]:
        if z not in bounds:
            bounds[z] = bound(z)
        return bounds[z]

    def excess(z: float) -> float:
        # Steps to the root need finite values, and log delta may be -inf.
        return max(at(z)[1] - target, -1e3)

    low = high = z
    first = step
    while excess(low) > 0:
        if low < -_FARTHEST:
            return -math.inf
        high, low, step = low, low - step, 2 * step
    step = first
    while excess(high) <= 0:
        # gamma <= 1 and delta still not above the target: epsilon = 0 will do.
        if at(high)[0] <= 0:
            return math.inf
        low, high, step = high, high + step, 2 * step
    return bracketed_root(excess, low, high, absolute=tolerance, relative=8.9e-16)
