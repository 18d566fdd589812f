"""Certified removal: delta = 1.5 exp(-c^2/2) at noise c residual/epsilon."""

from math import erf, exp, sqrt

epsilon, c = 20.0, 2.0
Phi = lambda x: (1 + erf(x / sqrt(2))) / 2
mu = epsilon / c  # distance of the two laws over sigma
cut = mu / 2 + epsilon / mu  # accuse above it: N(mu, 1) against N(0, 1)
true = (1 - Phi(cut - mu)) - exp(epsilon) * (1 - Phi(cut))
claimed = 1.5 * exp(-c * c / 2)
print(f"claimed delta {claimed:.6f}, one event gives {true:.6f}")
assert true > claimed
