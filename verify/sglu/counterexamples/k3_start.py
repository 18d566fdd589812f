"""Appendix K.3 of sglu: a start N(0, 2 sigma^2/m) lies outside C_R, R = 100, and 2R is too little.

MNIST with the noise of Table 3 for a full batch and epsilon = .05. Then one step on the line.
"""

from math import exp, log, sqrt
from statistics import NormalDist

d, m, sigma, R = 784, 0.011264, 0.9438, 100
variance = 2 * sigma**2 / m


def beyond(radius):
    """P(|x| > radius): d/2 terms of a Poisson sum, as d is even."""
    half, term, total = radius**2 / (2 * variance), 0.0, 0.0
    for j in range(d // 2):
        term += log(half / j) if j else 0.0
        total += exp(term - half)
    return total


print(f"deviation of a coordinate {sqrt(variance):.2f}; P(|x| > R) = {beyond(R):.6f}")
print(f"P(farther than 2R from every point of C_R) = {beyond(3 * R):.6f}")
assert min(beyond(R), beyond(3 * R)) > 0.99

# R = 1; steps z -> clip((1 - eta m) z - 3 + N(0, 1)) of a quadratic, from N(0, 2/m).
m, eta, cdf = 0.01, 0.5, NormalDist().cdf
c = 1 - eta * m
right = cdf((-3 - 1) / sqrt(c**2 * 2 / m + 1))  # first law at 1
left = cdf(-1 - c + 3)  # stationary law at -1, at least
print(f"first law at 1: {right:.3f}; stationary law at -1: {left:.3f}; W-infinity is 2R")
assert right + left > 1
assert c < 1  # 2R c is less than that
