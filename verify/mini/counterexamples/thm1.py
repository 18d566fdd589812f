"""Theorem 1 of mini: error/r^k tends to |Dw_inf| = 1/2, not to 0.

F_R = w^2/2, F_U = w^2/2 - w, batch {R, U} at every step, eta = 1/2, r = 1/2, w_0 = 0.
"""

from fractions import Fraction as F

eta = r = F(1, 2)
for k in (5, 10, 20, 40):
    s = 2 * k
    w, star = [F(0)], [F(0)]
    for _ in range(s):
        w.append(w[-1] - eta * (w[-1] + w[-1] - 1) / 2)
        star.append(star[-1] - eta * star[-1])
    v = F(0)
    for _ in range(s - k + 1, s + 1):
        v = -eta / 2 + (1 - eta) * v
    error = abs(star[s] - w[s] - v)
    print(f"k = {k}: error/r^k = {float(error / r**k):.10f}")
    assert error == (r**k - r**s) / 2 and error / r**k > F(1, 4)
