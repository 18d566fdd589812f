"""Distances and losses in powers of the contraction factor c = 1 - eta m of sglu."""


def sensitivity(eta, M, b):
    """q = 2 eta M / b: the largest shift of one step that one replaced point can cause."""
    return 2 * eta * M / b


def learned(xp, eta, m, M, b, J, T, quiet=0):
    """Z_T = q c^quiet sum_{t<T} c^{tJ}, the W-infinity distance of two learning runs.

    `quiet` = J - 1 - j0 steps follow the replaced point's batch in an epoch; none is the worst.
    """
    whole = xp.geometric(eta * m, T * J) / xp.geometric(eta * m, J)
    return xp.times(sensitivity(eta, M, b), xp.decay(eta * m, quiet) * whole)


def stationary(xp, eta, m, M, b, J, quiet=0):
    """Z = q c^quiet/(1 - c^J): distance of two adjacent stationary laws."""
    return sensitivity(eta, M, b) * xp.decay(eta * m, quiet) / (eta * m * xp.geometric(eta * m, J))


def amplified(xp, alpha, distance, eta, m, sigma, steps):
    """alpha Z^2 c^{2N}/(4 eta sigma^2 G_c(N)): Lemma 3.4 for N steps from a distance Z."""
    square = (distance * xp.decay(eta * m, steps)) ** 2  # c^{2N} alone may be below the floats
    return alpha * square / (4 * eta * sigma**2 * xp.spread(eta * m, steps))


def amplified_once(xp, alpha, distance, eta, m, sigma, steps):
    """alpha Z^2 c^{2N}/(2 eta sigma^2): Lemma 3.4 as printed, with half the variance of a step."""
    square = (distance * xp.decay(eta * m, steps)) ** 2
    return alpha * square / (2 * eta * sigma**2)
