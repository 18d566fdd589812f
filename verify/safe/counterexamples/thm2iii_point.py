"""Theorem 2(iii) of safe against A(D minus F) = argmin; T: all models but w_t*."""

from math import exp

epsilon, delta = 1.0, 1e-5
unlearned = 1.0  # w_t has a density: it misses one point almost surely
retrained = 0.0  # A(D minus F) is that point
print(f"P_M(T) = {unlearned:g}; e^epsilon P_A(T) + delta = {exp(epsilon) * retrained + delta:g}")
assert unlearned > exp(epsilon) * retrained + delta
