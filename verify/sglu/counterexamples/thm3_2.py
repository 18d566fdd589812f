"""Theorem 3.2 of sglu: no loss on R^d is M-Lipschitz and m-strongly convex, m > 0.

At points 3M/m apart strong convexity asks for gradients at least 3M apart, and an M-Lipschitz
loss allows 2M. Shown for M = 1, m = 1/2; the same for every M and every m > 0.
"""

from fractions import Fraction as F

M, m = F(1), F(1, 2)
distance = 3 * M / m
at_least = m * distance  # m |x - y| <= |grad f(x) - grad f(y)|
at_most = M + M  # |grad f(x)| + |grad f(y)| <= 2M
print(f"gradients at distance {distance} differ by at least {at_least}, at most {at_most}")
assert at_least > at_most
