"""(59) of hf: E|Delta + sigma xi| in one dimension, Delta = sigma = 1."""

from math import erf, exp, pi, sqrt

delta, sigma = 1.0, 1.0
left = sigma * sqrt(2 / pi) * exp(-(delta**2) / (2 * sigma**2)) + delta * erf(
    delta / (sigma * 2**0.5)
)
right = delta + sigma * sqrt(2 / pi)
print(f"E|w~ - v| = {left:.6f}; |Delta| + E|sigma| = {right:.6f}")
assert abs(left - right) > 0.1 and left < right
