"""Theorem 2(iii) of safe, sigma^2 = phi_t, models W apart and 2W apart, W = 1, (1, 1e-5)."""

from math import erfc, exp, log, sqrt


def least_delta(mu, epsilon):
    z = mu / 2 + epsilon / mu  # the best half-line
    return erfc((z - mu) / sqrt(2)) / 2 - exp(epsilon) * erfc(z / sqrt(2)) / 2


phi = sqrt(2 * log(1.25 / 1e-5))
near = least_delta(1 / sqrt(phi), 1.0)
far = least_delta(2 / sqrt(phi), 1.0)
print(f"delta(1.0) = {near:.9f} and {far:.9f}; promised 1e-05")
assert far > near > 100e-5
