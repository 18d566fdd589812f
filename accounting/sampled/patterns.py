"""delta averaged over batch patterns: valid whatever scheme draws them (joint convexity).

Either every inclusion pays for itself, or a policy pays them (`_payments`): then the average is at
most that of a convex function of the cost.

The law of mu, the sum of what each inclusion pays for itself, is taken on a lattice.  f(mu) =
delta(epsilon, mu) rises, is convex up to sqrt(2 epsilon), and beyond it -f''/f' <= mu/2.  A chord
over a cell of width h loses at most theta (1 - theta) (h^2/2) max(-f''), and rises by nearly h f';
so a value (j + theta) h may be moved to j h and (j + 1) h with the weight of the upper one raised
from theta by theta (1 - theta) (h/2) (mu_max/2) e^(h mu_max).  That needs h <= sqrt(2 epsilon)/4,
so no epsilon below 8 h^2 is answered.
"""

import math

import numpy as np

from accounting.curves.discrete_sums import Array
from accounting.curves.gaussian import delta_gdp
from accounting.numerics.root import bracketed_root
from accounting.sampled._blocks import Inclusions
from accounting.sampled._policies import Spent, convex_delta

_POINTS = 4096
_FAR = 40.0  # normals beyond have no density that a float shows
_LEAST = 1e-3  # of what is known
_MOST = 600.0  # of an exponent; beyond, epsilon is in the thousands
_UP = 1 + 2.0**-40


def patterns_epsilon(blocks: Inclusions, sigma: float, delta: float) -> float:
    """epsilon with E delta(epsilon, mu) <= delta, every inclusion paying for itself."""
    paid = blocks.paid * (1 + blocks.error) / sigma
    start = blocks.start / math.sqrt(blocks.total) * (1 + blocks.error) / sigma
    mean, square = float((blocks.chance * paid).sum()), float((blocks.chance * paid**2).sum())
    # Beyond `top` there is less than e^-8 of delta; it is counted exactly in `_law` all the same.
    widest, log = float(paid.max(initial=0.0)), 8 - math.log(delta)
    far = widest * log / 3
    # Bernstein; and no more than all of the largest.
    top = min(mean + far + math.sqrt(far**2 + 2 * square * log), float(paid.max(axis=1).sum()))
    # Room for one more inclusion above, so that little falls off the lattice.
    h = (top + 2 * widest) / (_POINTS - 2)
    if top + start == 0:
        return 0.0
    mu = start + h * np.arange(_POINTS)
    # The exponent h mu_max of the module's docstring.
    if not h * float(mu[-1] + h) < _MOST:
        return math.inf
    law, lost = _law(paid, blocks, h, start)

    def excess(epsilon: float) -> float:
        return float(law @ delta_gdp(mu, epsilon)) * _UP + lost - delta

    # h <= sqrt(2 epsilon)/4 is epsilon >= 8 h^2.
    least, most = 8 * h * h, 1.0
    if excess(least) <= 0:
        return least if excess(0.0) > 0 or start else 0.0
    while excess(most) > 0:
        most *= 2
        if most > 1e6:
            return math.inf
    root = bracketed_root(excess, least, most, absolute=1e-300, relative=1e-12)
    step = 1e-12
    while excess(root) > 0:
        root, step = root * (1 + step), 2 * step
    return root


def policy_epsilon(spent: Spent, sigma: float, delta: float, known: float) -> float:
    """The same for what a policy spends; `known` where that is no less."""
    budget = delta - spent.lost
    some = spent.chance > 0
    cost, chance = spent.cost[some] / sigma**2, spent.chance[some]

    def excess(epsilon: float) -> float:
        return float(convex_delta(epsilon, cost) @ chance) * _UP - budget

    if not (0 < known < math.inf) or excess(known) > 0:
        return known
    # Not below a part of what is known, where the function of the cost is no longer convex enough.
    least = known * _LEAST
    if excess(least) <= 0:
        return least
    root = bracketed_root(excess, least, known, absolute=1e-300, relative=1e-12)
    step = 1e-12
    while excess(root) > 0:
        root, step = root * (1 + step), 2 * step
    return root


def eagerness(blocks: Inclusions, sigma: float, epsilon: float) -> float:
    """Of a policy: the slope of log delta in the cost where most of the average is, roughly."""
    law = blocks.straight.times(1 / sigma)

    def slope(mu: float) -> float:
        away = min(abs(epsilon / mu - mu / 2), _FAR)
        density = math.exp(-(away**2) / 2) / math.sqrt(2 * math.pi)
        delta = float(delta_gdp(mu, epsilon))
        return density / delta if delta > 0 else 0.0

    def mean(tilt: float) -> float:
        return law.moments(tilt)[1]

    if not mean(1.0) > 0:
        return 1.0
    # The mean of mu, tilted by the slope of log delta there.
    low, high = 0.0, 1.0
    while slope(mean(high)) > high:
        low, high = high, 2 * high
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if slope(mean(middle)) > middle else (low, middle)
    return high / (2 * mean(high)) / sigma**2


def _law(paid: Array, blocks: Inclusions, h: float, start: float) -> tuple[Array, float]:
    """Chances of start + j h, and that of more than the last."""
    # mu_max: what is due at the start counts as well.
    top = start + h * _POINTS
    raised = h / 2 * top / 2 * math.exp(h * top)
    law, lost = np.zeros(_POINTS), 0.0
    law[0] = 1.0
    # One convolution a block, on the lattice in units of h.
    for values, chances, zero in zip(paid / h, blocks.chance, blocks.zero, strict=True):
        new = zero * law
        for value, chance in zip(values.tolist(), chances.tolist(), strict=True):
            j = int(value)
            share = value - j
            # Capped at 1: then all goes to the upper neighbour, which only adds.
            share = min(share + share * (1 - share) * raised, 1.0)
            for place, weight in ((j, chance * (1 - share)), (j + 1, chance * share)):
                if weight and place < _POINTS:
                    new[place:] += weight * law[: _POINTS - place]
                    lost += weight * float(law[_POINTS - place :].sum())
                elif weight:
                    lost += weight * float(law.sum())
        law = new
    return law, lost * _UP
