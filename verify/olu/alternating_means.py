"""Parabolas whose minima alternate far outside the domain: regret of the order of the log term.

f_t = (z - x_t)^2/2 on [-h, h] with x_t = +-1, always on the other side of the iterate, so that
|f_t'| is between 1 and 1 + h = L.  Steps 1/t make the iterate a running mean as soon as it is off
the walls, whose regret is sum f_t'^2/(2 t) exactly.
"""

from functools import cache


@cache
def regret(T: int, h: float) -> float:
    """Regret of projected descent with steps 1/t from 0, against the best fixed point of all T."""
    z, total, points = 0.0, 0.0, 0.0
    for t in range(1, T + 1):
        x = -1.0 if z > 0 else 1.0
        total += (z - x) ** 2
        points += x
        z = min(h, max(-h, z - (z - x) / t))
    best = min(h, max(-h, points / T))
    return (total - (T * best**2 - 2 * best * points + T)) / 2
