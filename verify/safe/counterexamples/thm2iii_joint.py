"""Theorem 2(iii) of safe: 100 models, each with the least noise for (1, 1e-5), published."""

from math import erfc, exp, sqrt


def least_delta(mu, epsilon):
    z = mu / 2 + epsilon / mu  # the best half-line
    return erfc((z - mu) / sqrt(2)) / 2 - exp(epsilon) * erfc(z / sqrt(2)) / 2


low, high = 0.1, 1.0
for _ in range(60):
    middle = (low + high) / 2
    low, high = (middle, high) if least_delta(middle, 1.0) <= 1e-5 else (low, middle)
found = least_delta(10 * low, 1.0)
print(f"one: {least_delta(low, 1.0):.3e}; all 100: delta(1.0) = {found:.6f}; promised 1e-05")
assert least_delta(low, 1.0) <= 1e-5 and found > 0.7
