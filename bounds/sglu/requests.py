"""Requests in sequence, each answered by the fewest epochs that an accountant admits.

W-infinity before request s is Z^(1) = Z, Z^(s+1) = min(c^{K_s J} Z^(s) + Z, cap) (Theorem 3.11).
An accountant is a function from that distance to the least K >= 1.
"""

from bounds.sglu.algorithm_5 import least_epochs
from bounds.sglu.descent import root_gap


def planned(ns, join, S, least, fresh, cap, eta, m, J, left=0):
    """`join`, ns.total or ns.greatest, of the epochs of S requests, the first `left` + Z away."""

    queries = {}  # every distance of the list is asked for once more, where it is served

    def epochs(distance):
        if id(distance) not in queries:
            queries[id(distance)] = distance, least(distance)
        return queries[id(distance)][1]

    def served(_, distance):
        return ns.minimum(distance * ns.decay(eta * m, epochs(distance) * J) + fresh, cap)

    before = ns.orbit(served, ns.minimum(left + fresh, cap))
    return join(lambda s: epochs(before[s]), 1, S)


def mironov(ns, epsilon, delta, sigma, eta):
    """sqrt(2 eta rho) sigma, rho the Rényi slope that gives epsilon by Proposition K.2."""
    return ns.sqrt(2 * eta) * sigma * root_gap(ns, -ns.log(delta), epsilon)


def gaussian(ns, epsilon, delta, sigma, eta):
    """mu* s, s = sqrt(2 eta) sigma the standard deviation of a step's noise."""
    return ns.sqrt(2 * eta) * sigma * ns.mu_star(epsilon, delta)


def last_step(ns, allowed, eta, m, J):
    """Least K with Z c^{KJ} <= `allowed`: the noise of one step counts."""
    return lambda Z: least_epochs(ns, Z, allowed, eta, m, J)


def all_steps(ns, allowed, eta, m, J):
    """Least K with Z c^{KJ}/sqrt(G_c(KJ)) <= `allowed`: the unlearning noise counts."""
    share = eta * m * (2 - eta * m)
    return lambda Z: least_epochs(ns, 1, allowed / ns.sqrt(share * Z**2 + allowed**2), eta, m, J)


def whole_run(ns, allowed, diameter, eta, m, J):
    """Least K with Z c^{KJ} sqrt(1 - c^2) <= `allowed`: the noise of learning counts as well.

    Where a domain of this diameter makes the noise of unlearning alone enough earlier, that K.
    """
    always = last_step(ns, allowed / ns.sqrt(eta * m * (2 - eta * m)), eta, m, J)
    inside = all_steps(ns, allowed, eta, m, J)
    return lambda Z: ns.minimum(always(Z), inside(ns.minimum(Z, diameter)))
