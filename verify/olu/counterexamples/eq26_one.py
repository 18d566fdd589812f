"""olu (26)(d) with one deletion: d = eps = L = D = 1, tau = 10, u = 5, omega = 1.2.

E B = sigma^2/(2 eta_9) with sigma^2 = omega eta_5^2/(2 (omega - 1)) and eta_t = 1/sqrt t.
"""

from math import sqrt

w, u, tau = 1.2, 5, 10
sigma2 = w / (2 * (w - 1)) / u
left = sigma2 * sqrt(tau - 1) / 2
right = w / (4 * sqrt(3) * (w - 1)) * sqrt(tau / u**2)
print("E B =", left, "claimed at most", right)
assert left > right
