"""(40) of olu adds a number and a length: metres and centimetres give different noise.

i = 1, I_2 = 0, omega = 6/5, eps = 1/2, tau = 5, u = 4, gamma = 1/2, mu = L = 1 in metres; lengths
times c: L -> L/c, mu -> mu/c^2, eta_u = 1/(mu u) -> c^2 eta_u. sigma should be multiplied by c.
"""

from math import sqrt


def sigma(c):
    L, mu = 1 / c, 1 / c**2
    return sqrt(1.2 / (2 * 0.2 * 0.5)) * L * (6 + L * 0.5 / (mu * 4)) / (5 * mu)


c = 100.0
print(f"sigma in centimetres {sigma(c)}, 100 times sigma in metres {c * sigma(1.0)}")
assert sigma(c) > 2 * c * sigma(1.0)
