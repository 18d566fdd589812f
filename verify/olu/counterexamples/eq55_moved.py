"""(55) of olu: the noise moves the iterate. f_t = z^2/2 on [-1, 1], beta = 3, T = 10000.

One request at tau = 50, any u and I_2 = 0; z_1 = 0 stays 0 until the noise, of which the draw
xi = 1/2 is looked at; mu = L = 1, D = 2, gamma = 1/2, z* = 0, Assumption 2 with a = 0.
"""

from fractions import Fraction as F

tau, T, g = 50, 10000, F(1, 2)
d = {t: F(0) for t in range(1, tau)}
z = F(1, 2)
for t in range(tau, T + 1):
    d[t] = z * z
    z -= z / t
inner = [*range(1, tau - 1), *range(tau + 1, T - 1)]
C = sum(t * (d[t] - d[t + 1]) - d[t] for t in inner)
printed = g ** (tau - 1) * (tau - 1) + (2 + 4)
print(f"C = {float(C)}, printed {float(printed)}")
assert printed < C
