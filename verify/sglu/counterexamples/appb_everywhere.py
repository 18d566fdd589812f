"""Appendix B of sglu, (2)-(4) on R^d: two of the three exclude each other.

At points 3M/m apart m-strong convexity asks for gradients at least 3M apart, and an M-Lipschitz
loss allows 2M. Shown for M = 1, m = 1/2.
"""

from fractions import Fraction as F

M, m = F(1), F(1, 2)
distance = 3 * M / m
at_least, at_most = m * distance, 2 * M
print(f"gradients at distance {distance} differ by at least {at_least}, at most {at_most}")
assert at_least > at_most
