"""Requests in sequence, each answered by the fewest epochs that an accountant admits.

W-infinity before request s is Z^(1) = Z, Z^(s+1) = min(c^{K_s J} Z^(s) + Z, cap) (Theorem 3.11).
An accountant is a function from that distance to the least K >= 1.
"""

from bounds.sglu.algorithm_5 import least_epochs
from bounds.sglu.descent import root_gap


def planned(xp, join, S, least, fresh, cap, eta, m, J, left=0):
    """`join`, xp.total or xp.greatest, of the epochs of S requests, the first `left` + Z away."""

    queries = {}  # every distance of the list is asked for once more, where it is served

    def epochs(distance):
        if id(distance) not in queries:
            queries[id(distance)] = distance, least(distance)
        return queries[id(distance)][1]

    def served(_, distance):
        return xp.minimum(distance * xp.decay(eta * m, epochs(distance) * J) + fresh, cap)

    before = xp.orbit(served, xp.minimum(left + fresh, cap))
    return join(lambda s: epochs(before[s]), 1, S)


def mironov(xp, epsilon, delta, sigma, eta):
    """sqrt(2 eta rho) sigma, rho the Rényi slope that gives epsilon by Proposition K.2."""
    return xp.sqrt(2 * eta) * sigma * root_gap(xp, -xp.log(delta), epsilon)


def gaussian(xp, epsilon, delta, sigma, eta):
    """mu* s, s = sqrt(2 eta) sigma the standard deviation of a step's noise."""
    return xp.sqrt(2 * eta) * sigma * xp.mu_star(epsilon, delta)


def last_step(xp, allowed, eta, m, J):
    """Least K with Z c^{KJ} <= `allowed`: the noise of one step counts."""
    return lambda Z: least_epochs(xp, Z, allowed, eta, m, J)


def all_steps(xp, allowed, eta, m, J):
    """Least K with Z c^{KJ}/sqrt(G_c(KJ)) <= `allowed`: the unlearning noise counts."""
    share = eta * m * (2 - eta * m)
    return lambda Z: least_epochs(xp, 1, allowed / xp.sqrt(share * Z**2 + allowed**2), eta, m, J)


def whole_run(xp, allowed, diameter, eta, m, J):
    """Least K with Z c^{KJ} sqrt(1 - c^2) <= `allowed`: the noise of learning counts as well.

    Where a domain of this diameter makes the noise of unlearning alone enough earlier, that K.
    """
    always = last_step(xp, allowed / xp.sqrt(eta * m * (2 - eta * m)), eta, m, J)
    inside = all_steps(xp, allowed, eta, m, J)
    return lambda Z: xp.minimum(always(Z), inside(xp.minimum(Z, diameter)))
