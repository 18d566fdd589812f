"""Lemma 4.2 of hf with rho at eta_0, decaying steps: lam = M = 1, eta = q = 1/2."""

from fractions import Fraction as F

eta, q, h = F(1, 2), F(1, 2), 1
rho = abs(1 - eta * h)
second = abs(1 - eta * q * h)  # the step at t = 1 stretches every vector by this
print(f"rho at eta_0: {rho}; step 1 stretches by {second}")
assert second > rho
