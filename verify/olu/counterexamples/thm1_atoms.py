"""olu Theorem 1: f_3 = 0 has sensitivity 0 on K, so its deletion adds no noise."""

from math import erfc, sqrt

eps, w = 1.0, 1.2
sigma = sqrt(w / (2 * (w - 1) * eps))  # Delta_2 = 1 for f_2 = (z - 1)^2/2, eta = 1/2
# X_2 ~ N(1/2, sigma^2) leaves K = [-1, 1]; X_3 = P[X_2] has atoms.  Retrained: N(0, sigma^2).
atoms = erfc((1 - 0.5) / sigma / sqrt(2)) / 2 + erfc((1 + 0.5) / sigma / sqrt(2)) / 2
retrained = 0.0
print(f"P(|X_3| = 1) = {atoms:.4f}; of the retrained law: {retrained}: D_alpha is infinite")
assert atoms > 0.5 > retrained
