"""mini's key finding: 1 - eta L = -1.1 < 1, and H(l) expands.

One kept sample F = (L/2) w^2, eta = 1.
"""

from fractions import Fraction as F

eta, mu, L = 1, F(1, 5), F(21, 10)
w = F(1)
after = w - eta * L * w
print(f"|H| = {float(abs(after))}; printed contraction 1 - eta mu = {float(1 - eta * mu)}")
print(f"after ten steps the distance is {float(abs(1 - eta * L) ** 10):.6f} times the first")
assert 1 - eta * L < 1 and abs(after) > 1 > abs(1 - eta * mu)
