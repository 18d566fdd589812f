"""Corollary 3.10 of sglu read literally is false: linear losses on C_R = [-1, 1].

n = b = 1, f(x; d) = -d x (convex, M-Lipschitz for |d| <= M), D = {-M}, D' = {M}, nu_0 = nu_D the
stationary law, T = 1. Laws are a density at Gauss-Legendre nodes and the two atoms.
"""

import math

import numpy as np

R, eta, M, sigma, alpha, K, T, N = 1.0, 0.5, 0.5, 0.5, 2, 200, 1, 120
s = math.sqrt(2 * eta) * sigma
x, w = np.polynomial.legendre.leggauss(N)
points = np.append(R * x, [-R, R])
mass = np.append(R * w, [1.0, 1.0])
Phi = np.vectorize(lambda t: math.erfc(-t / math.sqrt(2)) / 2)


def kernel(d):
    centre = points + eta * d
    inside = np.exp(-(((R * x[:, None] - centre) / s) ** 2) / 2) / (s * math.sqrt(2 * math.pi))
    return np.vstack([inside, Phi((-R - centre) / s), Phi((centre - R) / s)])


old, new = kernel(-M), kernel(M)
law = np.append(np.full(N, 1 / (2 * R)), [0, 0])
for _ in range(400):
    law = old @ (mass * law)
target, rho = new @ (mass * law), law
for _ in range(K):
    rho = new @ (mass * rho)


def divergence(p, q):
    return math.log(float((mass * p**alpha * q ** (1 - alpha)).sum())) / (alpha - 1)


exact = max(divergence(rho, target), divergence(target, rho))
bound = alpha * min(2 * eta * M * T, 2 * R) ** 2 / (2 * eta * sigma**2) / K
print(f"exact d_2 = {exact:.6f}, printed bound = {bound:.6f}")
assert exact > bound
