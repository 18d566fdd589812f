"""d_i of (45) of olu: K = [0, 1/10], 40 quadratics (z - x_t)^2/2, one x_t = 1/10.

mu = 1, beta = 3, L = D = 1/10, tau = 41, I_1 = 20 >= log_2(41), I_2 = 0; the kept losses have
their minimiser at 0. Start at the minimiser 1/400 of all; any rate leaves it there.
"""

from fractions import Fraction as F

D = L = F(1, 10)
apart = D / 40
printed = 2 * D * L / 41
print(f"apart {float(apart)}, printed {float(printed)}")
assert apart > printed
