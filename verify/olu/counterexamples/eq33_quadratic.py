"""olu (33) on one quadratic: f(z) = (3/2) z^2 at z = 0.7, D = 1."""

from math import sqrt

beta, z = 3.0, 0.7
left = 1.5 * sqrt((beta * z) ** 2)
right = 1.5 * sqrt(beta * (beta * z**2 / 2))
print("left side", left, "claimed at most", right)
assert left > right
