"""phi_t of safe's Theorem 2 squared: W and -W are 2W apart, W = 1, (1/2, 1e-5)."""

from math import erfc, exp, log, sqrt

W, epsilon, delta = 1.0, 0.5, 1e-5
sigma = W * sqrt(2 * log(1.25 / delta)) / epsilon
mu = 2 * W / sigma
z = mu / 2 + epsilon / mu
true = erfc((z - mu) / sqrt(2)) / 2 - exp(epsilon) * erfc(z / sqrt(2)) / 2
print(f"delta({epsilon}) = {true:.6f}; promised {delta:g}")
assert true > 50 * delta
