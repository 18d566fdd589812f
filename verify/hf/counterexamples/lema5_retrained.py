"""Lemma A.5 of hf for the run of (58): w^2/2, n = 2, m = 1, eta = 1."""

from fractions import Fraction as F

n, m, eta, lam, M, v, T = 2, 1, F(1), 1, 1, F(1), 5
for _ in range(T):
    v -= eta / n * (n - m) * v  # the slot of u stays empty
bound = max(abs(1 - eta * lam), abs(1 - eta * M)) ** T * 2 * M / lam
print(f"|v_T| = {v}; rho^T 2M/lam = {bound}")
assert v > bound
