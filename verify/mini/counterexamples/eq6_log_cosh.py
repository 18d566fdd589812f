"""Eq (6) of mini, log cosh losses: the forgotten sample pushes the wrong way.

Batch: kept log cosh(w - 1), forgotten log cosh(w - 3), both + 0.05 w^2; w_0 = 0, eta = 1/2.
"""

from math import tanh


def gradient(x, w):
    return tanh(w - x) + 0.1 * w


eta, w = 0.5, 0.0
learned = w - eta * (gradient(1, w) + gradient(3, w)) / 2
retrained = w - eta * gradient(1, w)
gamma = -1 / 2
printed = eta / 2 * gamma / (1 + gamma) * gradient(1, w) - eta / 2 * gradient(3, w)
print(f"true Dw_1 = {retrained - learned:.10f}; eq (6) gives {printed:.10f}")
assert retrained < learned and printed > 0.1
