"""Definition 3 of olu on R^d: two of the three properties exclude each other.

At points 3L/mu apart mu-strong convexity asks for gradients at least 3L apart; 2L is possible.
"""

from fractions import Fraction as F

L, mu = F(1), F(1, 2)
distance = 3 * L / mu
at_least, at_most = mu * distance, 2 * L
print(f"gradients at distance {distance} differ by at least {at_least}, at most {at_most}")
assert at_least > at_most
