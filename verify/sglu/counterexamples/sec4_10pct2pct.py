"""The 10 % of sglu's abstract by its printed formulas (CIFAR-10, b = n)."""

from math import log, sqrt

n, sigma, target, baseline = 9728, 0.03, 1.0, 10428  # Langevin unlearning's total, as plotted
m = 1e-6 * n
eta = 1 / (0.25 + m)
c, M, R = 1 - eta * m, 1.0, 100.0
fresh = 2 * eta * M / n / (1 - c)  # Z of Corollary 3.8, b = n
distance = total = 0
for _ in range(100):
    distance = min(distance + fresh, 2 * R)  # Theorem 3.11
    while True:  # one epoch, then Corollary 3.8 and K.2
        distance, total = c * distance, total + 1
        slope = distance**2 / (2 * eta * sigma**2)
        if slope + 2 * sqrt(slope * log(n)) <= target:
            break
print(f"{total} epochs are {total / baseline:.1%} of {baseline}, not roughly 10 %")
assert total / baseline > 0.15
