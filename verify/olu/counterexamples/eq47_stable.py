"""(47) of olu: quadratics (z - x_t)^2/2, T = 30, tau = 20, i = 1, d_i = sigma = 0.

f_1..f_20 without f_20 have x = 0, so that z_{1,0}* = 0; f_20..f_30 have x = 2 = L/mu: K = [0, 2].
"""

from fractions import Fraction as F

T, tau, i, L = 30, 20, 1, 2
star = F(2 * (T - tau + i), T)
left, printed = L * star, F(L * (T - i - tau), T)
print(f"L |z_1,0* - z*| = {left}, printed {printed}")
assert left > printed
