"""Lemma 10 of olu without the square: c = b, |a - b| = 1/2."""

from fractions import Fraction as F

a, b, c = F(1, 2), F(0), F(0)
left = abs(a - b) - abs(c - b) ** 2
right = abs(a - c) ** 2 + 2 * abs(a - c) * abs(c - b)
print(f"left {left}, right {right}")
assert left > right
