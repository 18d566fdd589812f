"""Algorithm 2 of olu: gradient steps 1/(beta + mu) do not contract by gamma.

f(z) = mu z^2/2 with mu = 1, beta = 3: gamma = 1/2; two runs from 0 and 1 on the average loss.
"""

from fractions import Fraction as F

mu, beta = F(1), F(3)
gamma, eta = (beta - mu) / (beta + mu), 1 / (beta + mu)
a, b = F(0), F(1)
after = abs((a - eta * mu * a) - (b - eta * mu * b))
print(f"distance after one step {after}, gamma times the distance before {gamma}")
assert after > gamma
