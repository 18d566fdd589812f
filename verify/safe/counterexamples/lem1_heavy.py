"""Lemma 1 of safe without a third moment: P(|X| > x) = x^{-2.1} for x >= 1, symmetric.

Levy's inequality: P(|S_n| > z) >= P(max |X_i| > z sqrt(n))/2, far above the normal tail.
"""

from math import erfc, expm1, log, log1p, sqrt

a, n, C = 2.1, 1e40, 1000.0
sigma = sqrt(a / (a - 2))
z = sigma * sqrt(2 * log(n))
tail = (z * sqrt(n)) ** -a
heavy = -expm1(n * log1p(-tail)) / 2
error = (heavy - erfc(z / sigma / sqrt(2))) / 2
print(f"n = 1e40: the error is at least {error:.3e}; {C:g}/sqrt(n) = {C / sqrt(n):.3e}")
assert error > C / sqrt(n)
