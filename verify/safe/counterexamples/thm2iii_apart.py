"""Theorem 2(iii) of safe, sigma = phi_t, models W and -W, W = 1, (1, 1e-5)."""

from math import erfc, exp, log, sqrt


def least_delta(mu, epsilon):
    z = mu / 2 + epsilon / mu  # the best half-line
    return erfc((z - mu) / sqrt(2)) / 2 - exp(epsilon) * erfc(z / sqrt(2)) / 2


phi = sqrt(2 * log(1.25 / 1e-5))
found = least_delta(2 / phi, 1.0)
print(f"delta(1.0) = {found:.9f}; promised 1e-05")
assert found > 100e-5
