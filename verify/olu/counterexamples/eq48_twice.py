"""(48) of olu: running mean of (1, 0, 0, 0, 0, 0), z_1 = 1, T = 6, tau = 3.

mu = 1, steps 1/t, no unlearning steps and no noise drawn, z* = 1/6; the 2 before A is exact.
"""

from fractions import Fraction as F

x, tau, T = [F(1)] + [F(0)] * 5, 3, 6
z = [F(1)]
for t in range(1, T):
    z.append(z[-1] - (z[-1] - x[t - 1]) / t)
star = sum(x) / T
gap = [w - star for w in z]
g = [w - p for w, p in zip(z, x, strict=True)]
A = sum(g[t - 1] * gap[t - 1] - gap[t - 1] ** 2 / 2 for t in (1, 2, 4, 5))
C = sum(t * (gap[t - 1] ** 2 - gap[t] ** 2) - gap[t - 1] ** 2 for t in (1, 4))
D = sum(g[t - 1] ** 2 / t for t in (1, 4))
E = g[tau - 2] * gap[tau - 2]
print(f"2A = {2 * A}, C + D + E = {C + D + E}")
assert 2 * A > C + D + E
