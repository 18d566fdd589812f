"""True numbers of a few mechanisms by routes of their own: forty digits, no code of the project."""

import mpmath as mp


def normal(x):
    """Phi(x)."""
    return mp.erfc(-mp.mpf(x) / mp.sqrt(2)) / 2


def bisected(excess):
    """The root above 0 of a function that falls."""
    low, high = mp.mpf(0), mp.mpf(1)
    while excess(high) > 0:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return high


def gaussian(mu, delta):
    """epsilon of N(mu, 1) against N(0, 1)."""
    with mp.workdps(40):
        m = mp.mpf(mu)

        def excess(e):
            return normal(m / 2 - e / m) - mp.exp(e) * normal(-m / 2 - e / m) - delta

        return float(bisected(excess))


def divisors(larger, smaller, dimension, delta):
    """epsilon of N(0, r^2 I) against N(0, I), r the quotient: tails of |x|^2."""
    with mp.workdps(40):
        square, half = (mp.mpf(larger) / smaller) ** 2, mp.mpf(dimension) / 2

        def above(x):
            return mp.gammainc(half, x / 2, regularized=True)

        def excess(e):
            edge = 2 * (e + half * mp.log(square)) / (1 - 1 / square)
            return above(edge / square) - mp.exp(e) * above(edge) - delta

        return float(bisected(excess))


def largest_sum(batches, n, size, multiplier, delta):
    """One shuffled epoch, a row of zeros: the largest of the sums, N(2e_j) against N(e_j).

    The last batch is left out, and the row with it where it falls there.

    The supremum of log((P(max > t) - delta)/Q(max > t)) over t (Chua et al. 2024), by golden
    section, in thirty digits.
    """
    with mp.workdps(30):
        s, share = 1 / mp.mpf(multiplier), mp.mpf(batches * size) / n

        def ratio(t):
            rest = normal(t) ** (batches - 1)
            p = 1 - rest * (share * normal(t - 2 * s) + (1 - share) * normal(t))
            q = 1 - rest * (share * normal(t - s) + (1 - share) * normal(t))
            return mp.log((p - delta) / q) if p > delta else mp.mpf(-100)

        grid = [2 * s + mp.mpf(k) / 10 for k in range(-60, 60)]
        best = max(range(len(grid)), key=lambda k: ratio(grid[k]))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
        golden = (mp.sqrt(5) - 1) / 2
        for _ in range(60):
            first, second = high - golden * (high - low), low + golden * (high - low)
            low, high = (low, second) if ratio(first) > ratio(second) else (first, high)
        return float(ratio((low + high) / 2))
