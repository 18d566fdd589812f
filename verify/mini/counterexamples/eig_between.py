"""mini's key finding: no eigenvalue of H(l) need be 1 - eta mu. F = (3/4) w^2."""

from fractions import Fraction as F

eta, mu, L, a = F(1, 10), 1, 2, F(3, 2)
assert mu <= a <= L
print(f"eigenvalue {float(1 - eta * a)}; printed 1 - eta mu = {float(1 - eta * mu)}")
assert 1 - eta * a != 1 - eta * mu
