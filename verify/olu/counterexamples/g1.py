"""G_1 of olu Theorem 2 is not the price of noise that unlearns.

k = mu = L = d = eps = 1, gamma = 1/2. Runs with and without f_u are 1/(tau - 1) apart at tau, so
the least sigma^2 is 1/(2 (tau - 1)^2), at the price of sigma^2/(2 eta) = sigma^2 (tau - 1)/2.
The printed term is sqrt(3) k^1.7 G_1.
"""

import math

u, tau, gamma = 10, 50, 0.5
price = (tau - 1) / 2 * 1 / (2 * (tau - 1) ** 2)
printed = math.sqrt(3) * tau * gamma ** (2 * (tau - u)) / u**2
print(f"price {price:.6e}, printed {printed:.6e}")
assert price > printed
