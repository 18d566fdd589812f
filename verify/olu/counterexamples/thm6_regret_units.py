"""Regret order of Theorem 6 of olu: the same run in metres and in centimetres.

L -> L/c, D -> c D, mu -> mu/c^2; losses, eps, k, T, gamma and hence the regret stay.
"""

from math import log


def order(c, T=1000, k=5, d=10, eps=1.0, gamma=0.5, gap=100):
    L, D, mu = 1 / c, c, 1 / c**2
    return log(T) + k * (L * D**2 + L * d / (mu * eps)) + k * gamma**gap * gap + L**2 * k**2 / mu


print(f"metres {order(1.0)}, centimetres {order(100.0)}")
assert order(100.0) > 50 * order(1.0)
