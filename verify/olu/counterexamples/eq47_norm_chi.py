"""E|xi| for xi ~ N(0, I_2): the integral of r^2 exp(-r^2/2) over r."""

from math import exp, pi, sqrt

n, top = 100_000, 12.0
mean = sum((r := (j + 0.5) * top / n) ** 2 * exp(-r * r / 2) for j in range(n)) * top / n
print(f"E|xi| = {mean:.9f}, sigma = 1, sqrt(pi/2) = {sqrt(pi / 2):.9f}")
assert mean > 1
