"""Corollary 3.9 of sglu with a known batch order: the average over orders is no bound.

f(x; d) = 7x^2/20 - d x, |d| <= 1 = M, eta = 1 <= 1/L = 10/7, sigma = 1/20, n = 4, b = 1, T = inf:
one point moves from 1 to -1 and is known to sit in the last batch; K = 1, alpha = 2. The printed
average uses Z_B and variance eta sigma^2, the corrected one each position's exact loss.
"""

from fractions import Fraction as F
from math import expm1, log1p

eta = F(1)
m = F(7, 10)
M = F(1)
sigma = F(1, 20)
J = 4
K = 1
alpha = 2
c, s2, q = 1 - eta * m, 2 * eta * sigma**2, 2 * eta * M
variance = s2 / (1 - c * c)  # of both stationary laws, and of all between
Z = q / (1 - c**J)  # their distance, last batch
exact = alpha * (Z * c ** (K * J)) ** 2 / (2 * variance)


def averaged(scale):  # uniform position, distance Z c^{J-1-j}
    terms = [(Z * c ** (J - 1 - j) * c ** (K * J)) ** 2 * scale for j in range(J)]
    return log1p(sum(expm1((alpha - 1) * t) for t in terms) / J) / (alpha - 1)


printed = averaged(alpha / s2)
corrected = averaged(F(alpha) / (2 * variance))
print(f"exact {float(exact):.6f}, printed {printed:.6f}, corrected {corrected:.6f}")
assert exact > printed > corrected
