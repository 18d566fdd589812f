"""Theorem 2(i) of safe: R_t = |w|, w_0 = w_t* = 0, T = K = U = W = 1, d = 7."""

from math import gamma, log, sqrt

d, phi = 7, sqrt(2 * log(1.25 / 1e-5))
error = sqrt(2 * phi) * gamma((d + 1) / 2) / gamma(d / 2)  # E|b|, b ~ N(0, phi I)
bound = 9 / 2 + 1
print(f"expected error {error:.6f}, bound {bound}")
assert error > bound
