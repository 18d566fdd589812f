"""Lemma 1 of safe with one constant for all laws: X ~ Bernoulli(1/n), at z = 0."""

from math import sqrt

for n in (10**4, 10**8):
    p = 1 / n
    error = (1 - p) ** n + n * p * (1 - p) ** (n - 1) - 0.5
    print(f"n = {n}: P(S_n <= 0) - 1/2 = {error:.6f}; 10/sqrt(n) = {10 / sqrt(n):.6f}")
    assert error > 10 / sqrt(n)
