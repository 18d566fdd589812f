"""Certified removal by a Newton step with all that b does: residual, direction, and density.

Objective sum_i l_i(w) + (lam n/2)|w|^2 + <b, w>, l_i(w) = l(<w, x_i>) convex, |l'| <= C, l''
gam-Lipschitz, |x_i| <= 1, b ~ N(0, sigma^2 I) in p dimensions.  With k = n - m kept, q the sum of
the removed gradients at the minimiser, H the kept Hessian and Delta = q/H the step, the unlearned
model is the one that retraining makes of T(b) = b - r(b), r(b) the gradient that the step leaves.
So what is published compares like the laws of T(b) and b.

Theorem.  While |b| <= B: |Delta| <= D = m (2 C + B/k)/(lam n), and r = sum_i rho_i x_i over the
kept with |rho_i| <= gam D^2/2, so that |r| <= R = gam k D^2/2 and |<b, r>| <= gam D^2/2
sum_i |<x_i, b>|.  That sum is a k-Lipschitz convex function of b with mean <= k sigma sqrt(2/pi),
hence at most k sigma v, v = sqrt(2/pi) + t, but for Phi(-t) (Borell; the median of a convex
function is at most its mean, Kwapien).  With u = gam D/lam, the derivative of r has trace norm at
most kappa = u (1 + k/n + u k/n), and |log det T'| <= -log(1 - u) - log(1 - u k/n): claims
own.newton.change and own.newton.volume, with their proof.  If kappa < 1, T is injective, and both
privacy losses are at most R^2/(2 sigma^2) + R v/sigma - log(1 - u) - log(1 - u k/n) on the event;
by Brouwer every y with |y| <= B - R is some T(b), so that
B = R + sigma (sqrt p + sqrt(2 log(1/eta))) serves both directions but for eta.  A loss <= loss but
for delta/2 is (epsilon, delta) for loss <= epsilon - log(1 - delta/2).

Several models seen together, each trained with a b of its own: losses add, the sums over the rows
are one sqrt(releases) k-Lipschitz function of all b with a mean of at most
releases k sigma sqrt(2/pi), and each b may pass B with eta/releases.  Two models from one b are
never hidden: the second is a function of the first.
"""

import math
from dataclasses import dataclass

import scipy

from accounting.numerics import validation
from bounds.guo.removal_residual import residual

SHARP_LOGISTIC = math.nextafter(1 / (6 * math.sqrt(3)), math.inf)
"""Lipschitz constant of l'' for the logistic loss; the authors' code takes 1/4."""
_UP = 1 + 2.0**-44  # outweighs the roundings of a formula of a hundred operations
_ROOM = 1 + 2.0**-40
_MOST_ROUNDS = 1000
_SHARE = 1 / 32  # of delta, for a long b


@dataclass(frozen=True)
class Removal:
    """At most `removals` of n samples removed by one step, 1 <= removals < n, p = `dimension`.

    `regularisation` is lam; `lipschitz` bounds |l'| and `smoothness` is the Lipschitz constant of
    l''; features of norm at most 1.  `releases` models are seen together, each with a b of its own.
    Raises ValueError out of range.
    """

    n: int
    removals: int
    regularisation: float
    dimension: int
    lipschitz: float = 1.0
    smoothness: float = SHARP_LOGISTIC
    releases: int = 1

    def __post_init__(self) -> None:
        size = validation.count("n", self.n, low=2, high=2**52)
        validation.count("removals", self.removals, low=1, high=size - 1)
        for name in ("regularisation", "lipschitz", "smoothness"):
            validation.scalar(name, getattr(self, name), low=0, low_open=True, high_open=True)
        validation.count("dimension", self.dimension, low=1, high=2**52)
        validation.count("releases", self.releases, low=1, high=2**52)
        if not 0 < self.residual <= self.printed_residual < math.inf:
            raise ValueError(
                "regularisation must keep the residual bound inside the floats, got "
                f"{self.regularisation!r}"
            )

    @property
    def printed_residual(self) -> float:
        """The printed bound without b (guo.residual), rounded up; it grows with m."""
        return self._bound("printed", self.removals)

    @property
    def residual(self) -> float:
        """The tight bound without b for every m up to `removals`, rounded up.

        It is proportional to m^2 (n - m), largest at m = 2 n/3.
        """
        peak = sorted({min(self.removals, max(1, 2 * self.n // 3 + i)) for i in (0, 1)})
        return max(self._bound("tight", m) for m in peak)

    def _bound(self, form: str, m: int) -> float:
        bound = residual(
            form, gam=self.smoothness, m=m, C=self.lipschitz, lam=self.regularisation, n=self.n
        )
        return float(bound) * _UP

    @property
    def growth(self) -> float:
        """1/(2 C k) at the most removals: |b| makes the residual (1 + growth |b|)^2 times as large.

        R = residual (1 + growth B)^2 covers every m up to `removals`, each factor at its largest.
        """
        return 1 / (2 * self.lipschitz * (self.n - self.removals)) * _UP

    def bend(self, length: float) -> float:
        """u = gam D/lam for |b| <= length and every m up to `removals`, rounded up."""
        n, lam = self.n, self.regularisation
        D = self.removals * (2 * self.lipschitz + length / (self.n - self.removals)) / (lam * n)
        return self.smoothness * D / lam * _UP


def certified_epsilon(sigma: float, delta: float, removal: Removal) -> float:
    """The epsilon that b ~ N(0, sigma^2 I) gives at delta, in both directions; inf without one.

    Source: the theorem above.  sigma > 0, delta in (0, 1).  Rounded up.
    Raises ValueError out of range.
    """
    s = validation.scalar("sigma", sigma, low=0, low_open=True, high_open=True)
    d = validation.scalar("delta", delta, low=0, high=1, low_open=True, high_open=True)
    length, most = _tails(d, removal)
    factor, volume = _at(s, length, removal)
    if not volume < math.inf:
        return math.inf
    shift = removal.residual * factor / s * _UP
    loss = (shift * (removal.releases * shift / 2 + most) + volume) * _UP
    return max(0.0, loss + math.log1p(-d / 2) * (1 - 2.0**-48))


def least_sigma(epsilon: float, delta: float, removal: Removal) -> float:
    """The least sigma with `certified_epsilon` at most epsilon, rounded up; inf without one.

    What a sigma needs grows with the length of b that it allows, so that the least one is the limit
    of asking, from below, what the last answer needs.
    """
    length, most = _tails(delta, removal)
    sigma = 0.0
    for _ in range(_MOST_ROUNDS):
        factor, volume = _at(sigma, length, removal)
        budget = epsilon - math.log1p(-delta / 2) - volume
        if not budget > 0:
            return math.inf
        shift = 2 * budget / (most + math.sqrt(most * most + 2 * removal.releases * budget))
        needed = removal.residual * factor / shift
        if not needed < math.inf:
            return math.inf
        if needed <= sigma * _ROOM:
            raised = sigma * _ROOM * _ROOM
            if certified_epsilon(raised, delta, removal) <= epsilon:
                return raised
        sigma = max(needed, sigma * _ROOM)
    return math.inf


def _tails(delta: float, removal: Removal) -> tuple[float, float]:
    """Bounds on every |b|/sigma and on sum |<x_i, b>|/(k sigma), together but for delta/2."""
    log_half = math.log(delta) - math.log(2.0)
    log_each = math.log(_SHARE) + log_half - math.log(removal.releases)
    length = math.sqrt(removal.dimension) + math.sqrt(-2 * log_each)
    normal = max(0.0, -float(scipy.special.ndtri_exp(math.log1p(-_SHARE) + log_half)))
    most = removal.releases * math.sqrt(2 / math.pi) + math.sqrt(removal.releases) * normal
    return length * _UP, most * _UP


def _at(sigma: float, length: float, removal: Removal) -> tuple[float, float]:
    """(1 + growth B)^2, and what the volumes cost all releases, at B = R + sigma length.

    (inf, inf) where there is no such B, or T may not be injective.
    """
    c = removal.residual * removal.growth
    expansion = 1 + removal.growth * sigma * length
    inner = 1 - 4 * c * expansion * _UP
    if not inner > 0:
        return math.inf, math.inf
    u = 2 * expansion / (1 + math.sqrt(inner)) * _UP
    B = (u - 1) / removal.growth * _UP + sigma * length * (_UP - 1)
    unit = removal.bend(B)
    # kappa and both determinants grow with k/n, which is below 1.
    if not unit * (2 + unit) * _UP < 1:
        return math.inf, math.inf
    return u * u, -2 * removal.releases * math.log1p(-unit) * _UP
