"""Theorem 2 of safe: |w_t| <= W cannot hold with Gaussian noise. d = W = 1, w_t = b_t."""

from math import erfc, log, sqrt

phi = sqrt(2 * log(1.25 / 1e-5))  # the variance, W = 1, epsilon = 1
outside = erfc(1 / sqrt(2 * phi))
print(f"P(|w_t| > 1) = {outside:.4f}, must be 0")
assert outside > 0.6
