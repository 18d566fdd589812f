"""Sensitivity of Theorem 6 of olu on a running mean of 40, one point at 1.

mu = L = 1, beta = 3, u = 4, I_2 = 10: phase 2 contracts by 3/4 a step, not by gamma = 1/2.
"""

from fractions import Fraction as F

tau, u, I2, gamma = 40, 4, 10, F(1, 2)
apart = F(3, 4) ** I2 / tau  # 1/40 at the start; the kept losses sit at 0
printed = gamma**I2 * (6 + gamma ** (tau - u) / u) / tau
print(f"apart {float(apart)}, printed {float(printed)}")
assert apart > printed
