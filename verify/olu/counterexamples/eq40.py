"""(40) of olu: noise for a running mean of 40 points, one at 1, steps 1/(beta + mu).

mu = L = 1, beta = 3, gamma = 1/2, u = 4, omega = 6/5, eps = 1, I_2 = 7; squares are compared.
"""

from fractions import Fraction as F

tau, u, I2, omega, gamma = 40, 4, 7, F(6, 5), F(1, 2)
apart = F(3, 4) ** I2 / tau  # phase 2 leaves this of the distance 1/40
needed = apart**2 / 2  # least variance with D_alpha <= alpha eps
printed = (gamma**I2 * (6 + gamma ** (tau - u) / u) / tau) ** 2 * omega / (2 * (omega - 1))
print(f"variance needed {float(needed)}, printed {float(printed)}")
assert needed > printed
