"""Lemma A.5 of hf, 2M/lam is no length: w^2/2 on [-3, 3] from 3, eta = 1/2 constant."""

from fractions import Fraction as F

eta, lam, M, w, T = F(1, 2), 1, 1, F(3), 5
for _ in range(T):
    w -= eta * w
bound = max(abs(1 - eta * lam), abs(1 - eta * M)) ** T * 2 * M / lam
print(f"|w_T| = {float(w)}; rho^T 2M/lam = {float(bound)}")
assert w > bound
