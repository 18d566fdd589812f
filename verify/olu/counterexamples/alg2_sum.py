"""Algorithm 2 of olu: on the sum of 5 losses its steps move apart.

f_t(z) = z^2/2, t = 1..5, beta = mu = 1: gamma = 0, step 1/(beta + mu) = 1/2 on the sum.
"""

from fractions import Fraction as F

mu = beta = F(1)
gamma = (beta - mu) / (beta + mu)
eta = 1 / (beta + mu)
n = 5
after = abs(1 - eta * n * mu)
print(f"distance after one step {after}, gamma times the distance before {gamma}")
assert after > 1 > gamma
