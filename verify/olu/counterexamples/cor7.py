"""Corollary 7 of olu is false, even for its own noise: exact regret on [-1/2, 1/2].

All f_t have curvature mu = beta = 1, so gamma = 0 and the corollary has no noise term; f_1001 =
(z - 1/2)^2/2 is removed at once (u = tau), where Algorithm 1 adds omega L^2/(2 (omega-1) eps u^2).
"""

import math


def moments(m, s, R):
    """Mean and second moment of m + s N(0, 1) projected on [-R, R]."""
    a, b = (-R - m) / s, (R - m) / s
    cdf = lambda x: math.erfc(-x / math.sqrt(2)) / 2
    pdf = lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    low, high, mid = cdf(a), cdf(-b), cdf(b) - cdf(a)
    slope = pdf(a) - pdf(b)
    first = R * (high - low) + m * mid + s * slope
    second = R * R * (low + high) + m * m * mid + 2 * m * s * slope
    return first, second + s * s * (mid + a * pdf(a) - b * pdf(b))


def regret(T, u, tau, sigma, moving, R=0.5, x=0.5):
    """E sum_t f_t(w_t) - f_t(comparator), f_t = (z - x_t)^2/2, steps 1/t, w_1 = 0."""
    m, second, total = 0.0, 0.0, 0.0
    for t in range(1, T + 1):
        if t == tau:
            m, second = moments(m, sigma, R)
        p = x if t == u else 0.0
        best = 0.0 if moving and t > tau else x / T
        total += (second - 2 * p * m + p * p) / 2 - (best - p) ** 2 / 2
        a, b = 1 - 1 / t, p / t
        m, second = a * m + b, a * a * second + 2 * a * b * m + b * b
    return total


T, u, eps, omega = 5000, 1001, 7.5e-5, 1.2
sigma = math.sqrt(omega / (2 * (omega - 1) * eps)) / u
exact = regret(T, u, u, sigma, True)
printed = 1 + 1 + 1 + math.log(T)
print(f"sigma = {sigma:.6f}: expected regret {exact:.6f}, printed bound {printed:.6f}")
assert exact > printed
