"""Proof of safe's Theorem 1: f(w_t*) = 1/sqrt(n), q f(w_0) = 2/sqrt(n)."""

from math import sqrt

for n in (10**4, 10**6, 10**8):
    star, found, f = 1 / sqrt(n), 2 / sqrt(n), 0.5
    assert abs(found - star) <= 2 / sqrt(n)
    left = f / (found * star) * abs(found - star)
    print(f"|D_t| = {n}: {left:.4f} against {2 / sqrt(n):.4f}")
    assert left > 2 / sqrt(n)
