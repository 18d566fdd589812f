"""(17) of sglu fails for eta > 2/(L + m): f = (x^2 + 4 y^2)/4, eta = 19/20, exact."""

from fractions import Fraction as F

eta, m, L = F(19, 20), F(1, 2), F(2)
left, right = abs(1 - eta * L), 1 - eta * m  # two points at distance 1 along the stiff axis
print(f"distance after the step {left}, (1 - eta m) = {right}")
assert 2 / (L + m) < eta < 2 / L
assert left > right
