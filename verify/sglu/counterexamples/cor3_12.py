"""Corollary 3.12 of sglu is not the sum of its recursion (43): quadratics, exact.

f(x; d) = x^2/4 - d x, |d| <= 1 = M, eta = 4/5 <= 1/L = 2, b = 2, J = 3, T = 4: two points of batch
0 and one of batch 2 move from 1 to -1. Both runs share their noise, so W-infinity is the distance
of the means, which follows (43) with equality.
"""

from fractions import Fraction as F

eta = F(4, 5)
m = F(1, 2)
M = F(1)
b = 2
J = 3
T = 4
hits = {0: 2, 2: 1}
c = 1 - eta * m
gap = F(0)
for _ in range(T):
    for j in range(J):
        gap = c * gap + 2 * eta * M / b * hits.get(j, 0)
once = sum(c ** (J - j - 1) * 2 * eta * M * S / b for j, S in hits.items())
printed = (1 - c**T) / (1 - c) * once
corrected = (1 - c ** (T * J)) / (1 - c**J) * once
print(f"exact {float(gap):.9f}, printed {float(printed):.9f}, corrected {float(corrected):.9f}")
assert gap == corrected != printed
