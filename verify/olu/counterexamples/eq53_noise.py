"""(53) of olu: the noise is left out. 40 quadratics, one at 1, sigma of (40).

mu = L = D = 1, beta = 3, gamma = 1/2, tau = 41, u = 4, eps = 1/10, omega = 1.2, I_1 = 30, I_2 = 8;
half of all draws are farther out than 0.67 sigma.
"""

from math import sqrt

tau, u, I2, gamma = 41, 4, 8, 0.5
sigma = gamma**I2 * sqrt(1.2 / (0.4 * 0.1)) * (6 + gamma ** (tau - u) / u) / tau
before = gamma**I2 * (1 / 40)  # from the kept losses' minimiser 0, rate gamma
left, printed = before + 0.67 * sigma, gamma**I2 / tau
print(f"distance {left}, printed {printed}")
assert left > printed
