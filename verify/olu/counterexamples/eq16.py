"""(16) of olu with the sigma displayed beside it: alpha times as much.

k = d = mu = L = eps = 1, beta = 3 (gamma = 1/2), omega = 6/5, u = 4, tau = 6, alpha = 2.
"""

from fractions import Fraction as F

omega, gamma, u, tau, alpha = F(6, 5), F(1, 2), 4, 6, 2
sigma2 = omega * alpha * gamma ** (2 * (tau - u)) * F(1, u) ** 2 / (2 * (omega - 1))
exact = sigma2 / (2 * F(1, tau - 1))
printed = omega / (4 * (omega - 1)) * F(tau - 1, u**2) * gamma ** (2 * (tau - u))
print(f"E[B] = {float(exact):.6f}, printed {float(printed):.6f}")
assert exact != printed
