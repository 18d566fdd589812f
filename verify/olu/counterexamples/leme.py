"""Lemma E of olu on a sum: 10 losses z^2/2, mu = 1, beta = 3, one step from 1."""

from fractions import Fraction as F

mu, beta, n = F(1), F(3), 10
gamma, eta = (beta - mu) / (beta + mu), 2 / (mu + beta)
w = F(1)
w -= eta * n * mu * w
print(f"|w_1 - w*| = {abs(w)}, gamma |w_0 - w*| = {gamma}")
assert abs(w) > gamma
