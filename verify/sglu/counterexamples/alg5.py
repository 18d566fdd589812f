"""Algorithm 5 of sglu returns one epoch more than the least that meets its target."""

from math import log, sqrt

n, R, T, sigma, target = 11264, 100.0, 1000, 0.03, 1.0
m = 1e-6 * n
eta = 1 / (0.25 + m)
c = 1 - eta * m
Z = 2 * eta / n / (1 - c)
lost = 2 * R * c**T


def line_9(k):
    a = (lost**2 + Z**2 * c ** (2 * k)) / (
        2 * eta * sigma**2
    )  # minimised over alpha in closed form
    return 3 * a + lost + 2 * sqrt(2 * a * (a + lost / 2 + log(n)))


K, epsilon = 1, float("inf")
while epsilon > target:
    epsilon = line_9(K)
    K += 1
least = next(k for k in range(1, 10**6) if line_9(k) <= target)
print(f"returned: {K}; least: {least}")
assert least + 1 == K
