"""Langevin unlearning's bound asks for twice the noise its algorithm needs (MNIST)."""

from math import erf, exp, log, sqrt

n, M, epsilon = 11264, 1.0, 1.0
m = 1e-6 * n
eta, delta = 1 / (0.25 + m), 1 / n
c = 1 - eta * m
orders = (1 + log(n) / epsilon + 0.01 * k for k in range(1, 10**5))
bound = min(  # (79) with K = 1 and Proposition K.2
    sqrt(4 * a * M**2 * exp(-m * eta / a) / (m * n**2 * (epsilon - log(n) / (a - 1))))
    for a in orders
)
sigma = bound / 2  # the algorithm with half that noise
# Full batch, any losses as in the paper: mu-Gaussian-DP with this mu, attained by quadratics.
mu = 2 * M / (n * m) * c * sqrt((1 - c * c) / (2 * eta)) / sigma
Phi = lambda x: (1 + erf(x / sqrt(2))) / 2
spent = Phi(mu / 2 - epsilon / mu) - exp(epsilon) * Phi(-mu / 2 - epsilon / mu)
print(f"bound asks for sigma = {bound:.6f}; {sigma:.6f} spends delta = {spent:.3e} <= {delta:.3e}")
assert spent <= delta
