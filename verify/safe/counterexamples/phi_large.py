"""The classical Gaussian mechanism beyond epsilon = 1: epsilon = 10, delta = 1e-5."""

from math import erfc, exp, log, sqrt

epsilon, delta = 10.0, 1e-5
mu = epsilon / sqrt(2 * log(1.25 / delta))
z = mu / 2 + epsilon / mu
true = erfc((z - mu) / sqrt(2)) / 2 - exp(epsilon) * erfc(z / sqrt(2)) / 2
print(f"delta({epsilon}) = {true:.6e}; promised {delta:g}")
assert true > 2 * delta
