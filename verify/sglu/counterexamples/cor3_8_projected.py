"""Corollary 3.8 of sglu read literally is false inside all its hypotheses.

n = b = 1, f(x; d) = x^2/2 - d x, d in {0, 1}, is 5-Lipschitz on C_R = [-4, 4].
D = {0}, D' = {1}, eta = 1/2 <= 1/L, sigma = 1, nu_0 = nu_D the projected stationary law, T = 1.
Laws are carried by a density at Gauss-Legendre nodes and two atoms (the projection's).
"""

import math

import numpy as np

R, eta, M, sigma, alpha, K, N = 4.0, 0.5, 5.0, 1.0, 2, 20, 200
c, s = 1 - eta, math.sqrt(2 * eta) * sigma
x, w = np.polynomial.legendre.leggauss(N)
x, w = R * x, R * w
points = np.append(x, [-R, R])
Phi = np.vectorize(lambda t: math.erfc(-t / math.sqrt(2)) / 2)


def kernel(d):
    """Column i: density at the nodes, then the masses of both atoms, one step after points[i]."""
    centre = c * points + eta * d
    inside = np.exp(-(((x[:, None] - centre) / s) ** 2) / 2) / (s * math.sqrt(2 * math.pi))
    return np.vstack([inside, Phi((-R - centre) / s), Phi((centre - R) / s)])


mass = np.append(w, [1.0, 1.0])
old, new = kernel(0.0), kernel(1.0)
law = np.full(N + 2, 1 / (2 * R))  # density at the nodes, atoms last
law[-2:] = 0
for _ in range(200):
    law = old @ (mass * law)  # nu_0 = nu_D
target = new @ (mass * law)  # M(D') after T = 1 epoch
rho = law  # M(D) ~ nu_D
for _ in range(K):
    rho = new @ (mass * rho)
assert abs((mass * rho).sum() - 1) < 1e-10


def divergence(p, q):
    return math.log(float((mass * p**alpha * q ** (1 - alpha)).sum())) / (alpha - 1)


exact = max(divergence(rho, target), divergence(target, rho))
Z = min(2 * eta * M / (1 - c), 2 * R)
bound = alpha * Z**2 * c ** (2 * K) / (2 * eta * sigma**2)
print(f"exact d_2 = {exact:.6f}, printed bound = {bound:.3e}")
assert exact > bound
