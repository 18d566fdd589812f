"""Corollary 3.8 of sglu read literally is false: Gaussians, exact arithmetic.

n = b = 1, f(x; d) = x^2/2 - d x, D = {0}, D' = {1} (gradients 1 = 2M apart), eta = 1/2,
sigma = 1, nu_0 = nu_D = N(0, 4/3), T = 1, no projection: M(D) is stationary for every T.
"""

from fractions import Fraction as F

eta = F(1, 2)
m = F(1)
M = F(1, 2)
sigma2 = F(1)
alpha = 2
K = 20
c, s2 = 1 - eta * m, 2 * eta * sigma2
variance = s2 / (1 - c * c)


def step(mean, var, d):
    return c * mean + eta * d, c * c * var + s2


learned = step(F(0), variance, 0)
assert learned == (0, variance)  # M(D) ~ nu_D
target, var_target = step(F(0), variance, 1)  # M(D')
mean, var = learned
for _ in range(K):
    mean, var = step(mean, var, 1)
assert var == var_target
exact = alpha * (mean - target) ** 2 / (2 * var)
Z = 2 * eta * M / (1 - c)
bound = alpha * Z**2 * c ** (2 * K) / (2 * eta * sigma2)
print(f"exact D_2 = {float(exact):.9f}, printed bound = {float(bound):.3e}")
assert exact > bound
