"""Eq (17) of mini at k = s = 2: the bound is r^2 |Dw_0| = 0, the error is not.

Batch {R, U}, F_R = log cosh w + 0.05 w^2, F_U = F_R - 4 w, w_0 = 0, eta = 1/2 < 2/L, L = 1.1.
"""

from math import cosh, tanh

eta, b, m = 0.5, 4.0, 0.1


def g(w):
    return tanh(w) + m * w


w, star = [0.0], [0.0]
for _ in range(2):
    w.append(w[-1] - eta * (g(w[-1]) + g(w[-1]) - b) / 2)
    star.append(star[-1] - eta * g(star[-1]))
G = -eta * b / 2
H = 1 - eta * (1 / cosh(w[1]) ** 2 + m)
error = abs(star[2] - w[2] - (G + H * G))
bound = max(abs(1 - eta * m), abs(1 - eta * (1 + m))) ** 2 * abs(star[0] - w[0])
print(f"error {error:.10f}; bound {bound:.10f}")
assert abs(error - eta * (tanh(w[1]) - w[1] / cosh(w[1]) ** 2)) < 1e-15 and error > bound
