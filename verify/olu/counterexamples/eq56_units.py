"""(56) of olu: lengths times c: L -> L/c, D -> cD, mu -> mu/c^2."""

from math import e, log


def order(c, T=1000, k=5, d=10, eps=1.0, gamma=0.5):
    L, D, mu = 1 / c, c, 1 / c**2
    return log(T) + k * L * D**2 + L * k * d / (mu * eps) + k * L / (e * log(1 / gamma))


print(f"metres {order(1.0)}, centimetres {order(100.0)}")
assert order(100.0) > 50 * order(1.0)
