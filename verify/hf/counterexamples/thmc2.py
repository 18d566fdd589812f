"""Theorem C.2 of hf: the constant algorithm w*(D) is (0, 0)-unlearning."""

from fractions import Fraction as F

n, c, share = 1000, F(99, 100), F(1, 2)  # P(z = -1) = 1/2, l = (w - z)^2/2
optimum = 1 - 2 * share
excess = (optimum - (1 - 2 * share)) ** 2 / 2  # whatever the data and whatever is deleted
capacity = n if excess <= F(1, 100) else 0
print(f"excess {excess} for every U: capacity {capacity}; c n = {c * n}")
assert capacity > c * n
