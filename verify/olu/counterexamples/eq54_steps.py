"""(54) of olu: steps 1/t on z^2/2, mu = 1, beta = 3, gamma = 1/2, t = 10..21."""

from fractions import Fraction as F

a, b = F(0), F(1)
for t in range(10, 22):
    a, b = a - a / t, b - b / t
printed = F(1, 2) ** (20 + 1 - 10)
print(f"contraction {b - a}, printed {float(printed)}")
assert b - a > printed
