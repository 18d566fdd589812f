"""Theorem 1 of safe, q f(w_0) not normalised, as in (25): N = 100, m = 1, p = 1/4."""

from math import log

N, m, p = 100, 1, 0.25
kept = 6 * N / (6 * N - m)
a = (1 - m / (3 * N)) ** 1.5
star = (N - m) / (2 * N - m)
error = abs(p * log(star / (a * kept / 2)) + (1 - p) * log((1 - star) / (kept / 2)))
bound = 2 * m / (6 * N - m) ** 1.5
print(f"|R~ - R| = {error:.6e}; bound {bound:.6e}")
assert error > 15 * bound
