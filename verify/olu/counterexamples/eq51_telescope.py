"""(51) of olu loses mu D^2: T = 6, tau = 3, K = [0, 1], mu = 1, steps 1/t.

f_t = (z - x_t)^2/2, x = (1, -1, 0, 0, 0, 0), z_1 = 1; request at 3 deletes round 1, which leaves
the losses kept at P[-1] = 0; the noise drawn is 0. z* = 0. D = 1.
"""

from fractions import Fraction as F

x, tau, T, D = [1, -1, 0, 0, 0, 0], 3, 6, 1
z = [F(1), F(1), F(0)]  # z_2 = x_1; z_3 = P[-1]
for t in range(3, T):
    z.append(z[-1] - (z[-1] - x[t - 1]) / t)
d = [w * w for w in z]
C = sum(t * (d[t - 1] - d[t]) - d[t - 1] for t in (1, 4))
printed = tau * (d[tau] - d[tau - 2]) + D**2
print(f"C = {C}, printed {printed}")
assert printed < C
