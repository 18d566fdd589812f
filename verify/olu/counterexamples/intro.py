"""olu, Section 1: no constant makes regret O(log T + k^2 d) for all eps.

On [-1/2, 1/2], f_4 = (z - 1/2)^2/2 is removed at tau, other f_t = z^2/2, T = 5 tau; sigma = 0.2 is
the least noise that unlearns at eps = 12.5/(tau - 1)^2. Regret grows like tau, the order like
log tau.
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


ratios = []
for tau in (101, 1001, 10001):
    exact = regret(5 * tau, 4, tau, 0.2, True)
    printed = math.log(5 * tau) + 1
    ratios.append(exact / printed)
    print(f"tau = {tau}: regret {exact:.4f}, log T + k^2 d = {printed:.4f}")
assert ratios[0] < ratios[1] < ratios[2] and ratios[2] > 10
