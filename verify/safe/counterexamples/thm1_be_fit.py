"""Proof of safe's Theorem 1: one sample's fit; bound C/sqrt(|D_t|), C = 10."""

from math import erf, exp, pi, sqrt

density = exp(-9 / 2) / sqrt(2 * pi)  # a Gaussian class, at z = 3
literal = abs(density - (1 + erf(3 / sqrt(2))) / 2)
jump = abs((1 / 3 + 1 / 3) - 1 / 2)  # uniform on -1, 0, 1: P(X <= 0) - Phi(0)
fitted = abs(1 / sqrt(2 * pi) - 1 / sqrt(12))  # uniform, variance 1: densities at 0
bound = 10 / sqrt(10**6)
print(f"errors {literal:.6f}, {jump:.6f}, {fitted:.6f}; bound {bound:.6f}")
assert min(literal, jump, fitted) > bound
