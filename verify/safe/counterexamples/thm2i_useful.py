"""Theorem 2(i) of safe: its bound is never below 2UW, which the gradients alone give.

printed/(2UW) = 9x/4 + 1/(2x) with x = K sqrt(WT), least at x = sqrt(2)/3.
"""

from math import sqrt


def ratio(x):
    return 9 * x / 4 + 1 / (2 * x)


least = min(ratio(sqrt(2) / 3), *(ratio(10 ** (k / 1000 - 6)) for k in range(12_001)))
print(f"least ratio {least:.9f}, 3/sqrt(2) = {3 / sqrt(2):.9f}")
assert least >= 3 / sqrt(2) - 1e-12 > 2
