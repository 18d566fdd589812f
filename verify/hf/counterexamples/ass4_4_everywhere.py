"""Assumption 4.4 of hf on R^d: (43) against (44) at distance 3L/lam."""

from fractions import Fraction as F

lam, L = F(1, 10), F(1)
distance = 3 * L / lam
at_least, at_most = lam * distance, 2 * L  # of |g(x) - g(y)|, by (43) and by (44)
print(f"gradients {distance} apart differ by at least {at_least} and at most {at_most}")
assert at_least > at_most
