"""hf: noise N(0, c I), c = error sqrt(2 ln(1.25/delta)), models `error` apart."""

from math import erf, exp, log, sqrt

Phi = lambda x: (1 + erf(x / sqrt(2))) / 2


def true_delta(error, sigma, epsilon):  # N(0, sigma^2) against N(error, sigma^2)
    mu = error / sigma
    return Phi(mu / 2 - epsilon / mu) - exp(epsilon) * Phi(-mu / 2 - epsilon / mu)


epsilon, delta = 0.5, 1e-5
for error in (1.0, 100.0):
    c = error * sqrt(2 * log(1.25 / delta))
    found = true_delta(error, sqrt(c), epsilon)
    print(f"error {error}: delta({epsilon}) = {found:.6g}; promised {delta}")
    assert found > delta
