"""Eq (9) of mini at k = s = 2 on log cosh losses: eq (5)'s error is left out.

Batch {R, U}, F_R = log cosh w + 0.05 w^2, F_U = F_R - 4 w, w_0 = 0, eta = 1/2.
"""

from math import cosh, tanh

eta, b, m = 0.5, 4.0, 0.1


def g(w):
    return tanh(w) + m * w


w = [0.0]
star = [0.0]
for _ in range(2):
    w.append(w[-1] - eta * (g(w[-1]) + g(w[-1]) - b) / 2)
    star.append(star[-1] - eta * g(star[-1]))
G = -eta * b / 2
H = 1 - eta * (1 / cosh(w[1]) ** 2 + m)
print(f"true Dw_2 = {star[2] - w[2]:.10f}; eq (9) gives {G + H * G:.10f}")
assert abs(star[2] - w[2] - (G + H * G)) > 0.17
