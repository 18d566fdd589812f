"""Theorem 2 of olu is no (alpha, alpha eps)-OLU: exact, mu = 1, beta = 3.

K = [0, 1], gamma = 1/2, z = 0 until f_4 = (3/2)(z - 1)^2, the others are z^2/2, L = 3, steps 1/t,
u = 4 >= 1/2 + beta/mu, tau = 6, k = 1, omega = 6/5. D_alpha = alpha shift^2/(2 sigma^2).
"""

from fractions import Fraction as F

L = F(3)
beta = F(3)
gamma = F(1, 2)
omega = F(6, 5)
u = 4
tau = 6
eps = F(1)
alpha = F(2)


def run(keep):
    z = F(0)
    for t in range(1, tau + 1):
        z = (min(F(1), z - beta * (z - 1) / t) if keep else z) if t == u else z - z / t
    return z


shift = run(True) - run(False)
sigma2 = omega * gamma ** (2 * (tau - u)) * (L / u) ** 2 / (2 * (omega - 1) * eps)
exact = alpha * shift**2 / (2 * sigma2)
print(f"D_2 = {float(exact):.6f}, promised {float(alpha * eps):.6f}")
assert exact > alpha * eps
