"""Lemma A.5 of hf with decaying steps: w^2/2 from 1, eta = q = 1/2, whole batches."""

from fractions import Fraction as F

eta, q, lam, M, w, T = F(1, 2), F(1, 2), 1, 1, F(1), 3
for t in range(T):
    w -= eta * q**t * w
bound = max(abs(1 - eta * lam), abs(1 - eta * M)) ** T * 2 * M / lam
print(f"T = {T}: |w_T| = {w} = {float(w)}; rho^T 2M/lam = {float(bound)}")
assert w > bound
for t in range(T, 60):
    w -= eta * q**t * w
print(f"T = 60: |w_T| = {float(w):.10f}; rho^T 2M/lam = {float(F(1, 2) ** 60 * 2):.3e}")
assert w > F(2887, 10000)
