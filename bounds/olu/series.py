"""Terms that the formulas of olu share, over any namespace of `bounds.bodies`."""


def power(ns, mu, beta, steps):
    """gamma^steps for gamma = (beta - mu)/(beta + mu), the factor of a step 2/(beta + mu)."""
    return ns.decay(2 * mu / (beta + mu), steps)


def rest(ns, mu, beta, steps):
    """1 - gamma^steps."""
    gap = 2 * mu / (beta + mu)
    return gap * ns.geometric(gap, steps)


def rate_of_decay(ns, mu, beta):
    """ln(1/gamma)."""
    return -ns.log1p(-2 * mu / (beta + mu))


def contraction(ns, mu, beta, first, last):
    """prod c_t over first <= t <= last: what steps 1/(mu t) leave of a distance (olu Lemma D)."""
    factor = lambda t: ns.maximum(1 - 1 / t, abs(1 - beta / (mu * t)))  # noqa: E731
    return ns.product(factor, first, last)


def shift(ns, mu, beta, L, u, tau):
    """a = eta_u L prod_{u < t < tau} c_t: how far apart deleting f_u leaves the runs at tau."""
    return L / (mu * u) * contraction(ns, mu, beta, u + 1, tau - 1)


def line_5(ns, i, epsilon, omega, moved):
    """sigma_i of olu Algorithm 1, line 5, when the deleted step has become `moved` at tau_i."""
    return ns.sqrt(omega / (2 * (omega - 1) * epsilon)) * i ** (omega / 2) * moved


def odd_over_age(ns, tau):
    """sum_i (2i - 1)/(tau_i - 1): the price of least noise in units of d L^2/(4 eps mu)."""
    return ns.over(lambda i, t: (2 * i - 1) / (t - 1), tau)


def moving(ns, T, tau):
    """sum_i (1 - tau_i/T): the price of comparators that move, in units of L^2/mu."""
    return ns.over(lambda i, t: (T - t) / T, tau)


def between(ns, term, first, tau):
    """sum_i term(tau_i - tau_{i-1}) over the intervals between requests, tau_0 = first."""
    rest = ns.total(lambda i: term(tau[i] - tau[i - 1]), 2, ns.count(tau))
    return term(tau[1] - first) + rest


def rise(ns, rounds, i):
    """R_i^2 - R_{i-1}^2 for R_i = sum_{j <= i} rounds_j^{-1/2}."""
    partial_sum = ns.total(lambda j: 1 / ns.sqrt(rounds[j]), 1, i)
    return (2 * partial_sum - 1 / ns.sqrt(rounds[i])) / ns.sqrt(rounds[i])


def aged(ns, tau, u):
    """sqrt(sum_i tau_i/u_i^2), G_2 of Theorem 3."""
    return ns.sqrt(ns.over(lambda i, t, v: t / v**2, tau, u))


def g1(ns, mu, beta, u, tau):
    """sqrt(sum_i tau_i^2 gamma^(4 (tau_i - u_i))/u_i^4), G_1 of Theorem 2."""
    squares = lambda i, t, v: t**2 * power(ns, mu, beta, 4 * (t - v)) / v**4  # noqa: E731
    return ns.sqrt(ns.over(squares, tau, u))


def powers(ns, k, omega):
    """sqrt(sum_{i <= k} i^(2 omega)), in units of k^omega: its square may exceed the floats."""
    return k**omega * ns.sqrt(ns.total(lambda i: (i / k) ** (2 * omega), 1, k))
