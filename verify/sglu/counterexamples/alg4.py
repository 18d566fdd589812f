"""Algorithm 4 of sglu never meets a budget of one epoch with Algorithm 5 as printed.

MNIST: n = b = 11264, m = 1e-6 n, L = 1/4 + m, eta = 1/L, M = 1, R = 100, T = 1000, target
(1, 1/n). Algorithm 5 increases K before it returns, so the search runs into sigma_high.
"""

from math import log, sqrt

n, R, T, target, budget = 11264, 100.0, 1000, 1.0, 1
m = 1e-6 * n
eta = 1 / (0.25 + m)
c = 1 - eta * m
Z, lost = 2 * eta / n / (1 - c), 2 * R * c**T


def algorithm_5(sigma):
    K, epsilon = 1, float("inf")
    while epsilon > target:
        a = (lost**2 + Z**2 * c ** (2 * K)) / (2 * eta * sigma**2)
        epsilon = 3 * a + lost + 2 * sqrt(2 * a * (a + lost / 2 + log(n)))  # least over alpha
        K += 1
    return K


low, high = 0.0, 10.0
while high - low > 1e-8:
    middle = (low + high) / 2
    K = algorithm_5(middle)
    low, high = (low, middle) if budget >= K else (middle, high)
print(f"found K = {K} epochs at sigma = {middle:.6f} for a budget of {budget}")
assert budget < K
