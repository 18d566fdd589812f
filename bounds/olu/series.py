"""Terms that the formulas of olu share, over any namespace of `bounds.namespaces`."""


def power(xp, mu, beta, steps):
    """gamma^steps for gamma = (beta - mu)/(beta + mu), the factor of a step 2/(beta + mu)."""
    # Given both: 1 - 2 mu/(beta + mu) keeps no digit of a gamma near 0, where beta is near mu.
    return xp.decay(2 * mu / (beta + mu), steps, (beta - mu) / (beta + mu))


def rest(xp, mu, beta, steps):
    """1 - gamma^steps."""
    gap = 2 * mu / (beta + mu)
    return gap * xp.geometric(gap, steps)


def rate_of_decay(xp, mu, beta):
    """ln(1/gamma)."""
    return -xp.log1p(-2 * mu / (beta + mu))


def contraction(xp, mu, beta, first, last):
    """prod c_t over first <= t <= last: what steps 1/(mu t) leave of a distance (olu Lemma D)."""
    factor = lambda t: xp.maximum(1 - 1 / t, abs(1 - beta / (mu * t)))  # noqa: E731
    return xp.product(factor, first, last)


def shift(xp, mu, beta, L, u, tau):
    """a = eta_u L prod_{u < t < tau} c_t: how far apart deleting f_u leaves the runs at tau."""
    return L / (mu * u) * contraction(xp, mu, beta, u + 1, tau - 1)


def line_5(xp, i, epsilon, omega, moved):
    """sigma_i of olu Algorithm 1, line 5, when the deleted step has become `moved` at tau_i."""
    return xp.sqrt(omega / (2 * (omega - 1) * epsilon)) * i ** (omega / 2) * moved


def odd_over_age(xp, tau):
    """sum_i (2i - 1)/(tau_i - 1): the price of least noise in units of d L^2/(4 eps mu)."""
    return xp.over(lambda i, t: (2 * i - 1) / (t - 1), tau)


def moving(xp, T, tau):
    """sum_i (1 - tau_i/T): the price of comparators that move, in units of L^2/mu."""
    return xp.over(lambda i, t: (T - t) / T, tau)


def between(xp, term, first, tau):
    """sum_i term(tau_i - tau_{i-1}) over the intervals between requests, tau_0 = first."""
    rest = xp.total(lambda i: term(tau[i] - tau[i - 1]), 2, xp.count(tau))
    return term(tau[1] - first) + rest


def rise(xp, rounds, i):
    """R_i^2 - R_{i-1}^2 for R_i = sum_{j <= i} rounds_j^{-1/2}."""
    partial_sum = xp.total(lambda j: 1 / xp.sqrt(rounds[j]), 1, i)
    return (2 * partial_sum - 1 / xp.sqrt(rounds[i])) / xp.sqrt(rounds[i])


def aged(xp, tau, u):
    """sqrt(sum_i tau_i/u_i^2), G_2 of Theorem 3."""
    return xp.sqrt(xp.over(lambda i, t, v: t / v**2, tau, u))


def g1(xp, mu, beta, u, tau):
    """sqrt(sum_i tau_i^2 gamma^(4 (tau_i - u_i))/u_i^4), G_1 of Theorem 2."""
    squares = lambda i, t, v: t**2 * power(xp, mu, beta, 4 * (t - v)) / v**4  # noqa: E731
    return xp.sqrt(xp.over(squares, tau, u))


def powers(xp, k, omega):
    """sqrt(sum_{i <= k} i^(2 omega)), in units of k^omega: its square may exceed the floats."""
    return k**omega * xp.sqrt(xp.total(lambda i: (i / k) ** (2 * omega), 1, k))
