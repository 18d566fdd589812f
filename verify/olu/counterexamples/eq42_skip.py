"""(42) of olu: skipping step 4 of a running mean, tau = 6, mu = L = 1, beta = 3.

f_t = (z - x_t)^2/2 on [0, 1], x_4 = 1, else 0; no phases: I_1 = I_2 = 0, gamma = 1/2.
"""

from fractions import Fraction as F


def run(skipped):
    z = F(0)
    for t in range(1, 6):
        if t != skipped:
            z -= (z - (t == 4)) / t
    return z


apart = abs(run(None) - run(4))
printed = F(1, 2) ** 2 * F(1, 4)
print(f"apart {apart}, gamma^(tau - u) eta_u L = {printed}")
assert apart > printed
