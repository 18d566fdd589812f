"""Theorem 2(ii) of safe, every w_t projected onto [-1, 1]: U = W = 1, T = 100.

Constant risk |w|, K = 1/3; and 102 points at 0, 101 at 1, losses |w - x|, K = 1.
"""

from math import erfc, exp, log, pi, sqrt

T, phi = 100, sqrt(2 * log(1.25 / 1e-5))
s = sqrt(phi)


def bound(gamma, V):
    return V / 2 + T * gamma / 2 + 9 / (2 * gamma)


still = T * (s * sqrt(2 / pi) * (1 - exp(-1 / (2 * phi))) + erfc(1 / s / sqrt(2)))  # E min(|b|, 1)


def G(z):
    return z * erfc(-z / sqrt(2)) / 2 + exp(-z * z / 2) / sqrt(2 * pi)


moved = T * s * (G((1 - 0.1) / s) - G((-1 - 0.1) / s))  # T E(1 - clip(0.1 - b)), the median at 1
print(f"constant risk: {still:.2f}, bound {bound(0.3, 0):.2f}")
print(f"median stream: {moved:.2f}, bound {bound(0.1, 1):.2f}")
assert still > 2.7 * bound(0.3, 0) and moved > 1.9 * bound(0.1, 1)
