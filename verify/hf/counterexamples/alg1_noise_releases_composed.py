"""hf online: five releases, each with the least noise of one at (1, 1e-5)."""

from math import erf, exp, sqrt

Phi = lambda x: (1 + erf(x / sqrt(2))) / 2


def true_delta(error, sigma, epsilon):  # N(0, sigma^2) against N(error, sigma^2)
    mu = error / sigma
    return Phi(mu / 2 - epsilon / mu) - exp(epsilon) * Phi(-mu / 2 - epsilon / mu)


epsilon, delta, sigma = 1.0, 1e-5, 3.7306316350  # for error 1
found = true_delta(sqrt(5), sigma, epsilon)  # five independent releases, seen together
one = true_delta(1, sigma, epsilon)
print(f"one release: {one:.6g}; five: {found:.6g}; promised {delta}")
assert found > delta
