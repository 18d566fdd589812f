"""Algorithm 4 of mini, line by line, in one dimension: y = a s must give B s = a s."""

from math import sqrt

a, s = 3.0, 2.0  # curvature, one pair (m = 1: L = 0)
y = a * s
D, sigma = s * y, (s * y) / (s * s)
J = sqrt(sigma * s * s)  # line 6
u = s
right = (y * u, sigma * s * u)
q = (right[0] / -sqrt(D), right[1] / J)  # line 7, inner inverse (L = 0: diagonal)
p = (q[0] / -sqrt(D), q[1] / J)
product = sigma * u - (y * p[0] + sigma * s * p[1])
print(f"printed B s = {product:.6f}, secant equation: {y:.6f}")
assert product < 0 < y
print(f"so the curvature found is {product / s:.6f}, the true one and its bound {a:.6f}")
assert not product / s > 0
