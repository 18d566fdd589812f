"""Display (50) of sglu has the wrong sign: f(x) = x^2/4, eta = 4/5 (1/L = 2), exact."""

from fractions import Fraction as F

eta, m, x, y = F(4, 5), F(1, 2), F(1), F(0)
left = abs(x - y + eta * (m * x - m * y))
right = (1 - eta * m) * abs(x - y)
print(f"|x - x' + eta (grad - grad')| = {left}, (1 - eta m)|x - x'| = {right}")
assert left > right
assert abs(x - y - eta * (m * x - m * y)) == right
