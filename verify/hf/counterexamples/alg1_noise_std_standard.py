"""hf, Stage III: noise of standard deviation c, which does not depend on epsilon."""

from math import erf, exp, log, sqrt

Phi = lambda x: (1 + erf(x / sqrt(2))) / 2


def true_delta(error, sigma, epsilon):  # N(0, sigma^2) against N(error, sigma^2)
    mu = error / sigma
    return Phi(mu / 2 - epsilon / mu) - exp(epsilon) * Phi(-mu / 2 - epsilon / mu)


epsilon, delta, error = 0.1, 1e-5, 1.0
c = error * sqrt(2 * log(1.25 / delta))
found = true_delta(error, c, epsilon)
print(f"delta({epsilon}) = {found:.6g}; promised {delta}")
assert found > delta
