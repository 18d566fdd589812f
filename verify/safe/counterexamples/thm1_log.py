"""Proof of Theorem 1 of safe: a = q f(w_0) = 3, b = f(w_t*) = 1/2."""

from math import log

a, b = 3.0, 0.5
left, right = abs(log(a) - log(b)), abs(1 / a - 1 / b)
print(f"|log a - log b| = {left:.9f}; |1/a - 1/b| = {right:.9f}")
assert left > right
