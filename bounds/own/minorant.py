"""The greatest convex minorant of points, by the max-min formula of isotonic regression."""


def slope(xp, t, k, rise, run):
    """Its slope at step t of 1..k: max over j <= t of min over r >= t of rise(j, r)/run(j, r).

    rise(j, r) and run(j, r) are the sums of steps j to r, run(t, t) > 0.
    """

    def least(j):
        return xp.least(lambda r: rise(j, r) / run(j, r), t, k)

    return xp.greatest(least, 1, t)
