"""olu (34)(d) with one deletion: d = eps = L = D = 1, p(u) = p(tau - 1) = p(tau) = 4.

E B = sigma^2/(2 eta_{tau-1}), sigma^2 = omega eta_u^2/(2 (omega - 1)), eta = 1/sqrt p, omega = 3/2.
"""

from math import sqrt

w, p = 1.5, 4.0
left = w / (2 * (w - 1)) / p * sqrt(p) / 2
right = w / (4 * sqrt(3) * (w - 1)) * sqrt(p / p**2)
print("E B =", left, "claimed at most", right)
assert left > right
