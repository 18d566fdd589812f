"""Theorem 2 of olu is false with noise that unlearns: exact regret on [-1/2, 1/2].

f_4 = (z - 1/2)^2/2 is removed at 1001, the other f_t are z^2/2: mu = L = 1, and beta = 3 allowed.
eps = 1.25e-5; runs with and without f_4 are L/(mu (tau - 1)) apart, so sigma = 0.2 is least.
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


T, u, tau, eps, k, gamma = 5000, 4, 1001, 1.25e-5, 1, 0.5
sigma = 1 / (tau - 1) / math.sqrt(2 * eps)
exact = regret(T, u, tau, sigma, True)
G = tau * gamma ** (2 * (tau - u)) / u**2
printed = math.log(T) + 2 * k**2 + math.sqrt(3) * k**1.7 / eps * G
print(f"sigma = {sigma:.6f}: expected regret {exact:.6f}, printed bound {printed:.6f}")
assert exact > printed
