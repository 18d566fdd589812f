"""olu Table 1: the constant step against the formula in the proof of Theorem 5."""

from math import sqrt

T, k, d, eps, L, D, w = 10_000, 5, 10, 1.0, 1.0, 1.0, 1.2
table = sqrt(2 * D**2 / (T * L**2 * (1 + 1.2 * k**2.2 * d / (0.42 * eps))))
proof = sqrt(2 * D**2 / (T * (L**2 + w * k ** (w + 1) * L**2 * d / (2 * (w**2 - 1) * eps))))
print(f"Table 1: {table:.9f}; the proof: {proof:.9f}")
assert abs(proof / table - 1) > 0.4
