"""More than 5 epochs at b = 512 by sglu's printed formulas: CIFAR-10, sigma = .05."""

from math import log, sqrt

n, b, sigma, target = 9728, 512, 0.05, 0.01
m, J = 1e-6 * n, n // b
eta = 1 / (0.25 + m)
c, M, R = 1 - eta * m, 1.0, 100.0
fresh = 2 * eta * M / b / (1 - c**J)  # Z of Corollary 3.8
distance, spent = 0.0, []
for _ in range(100):
    distance, K = min(distance + fresh, 2 * R), 0  # Theorem 3.11
    while True:  # one epoch, then Corollary 3.8 and K.2
        distance, K = c**J * distance, K + 1
        slope = distance**2 / (2 * eta * sigma**2)
        if slope + 2 * sqrt(slope * log(n)) <= target:
            break
    spent.append(K)
print(f"{max(spent)} epochs for one request, {sum(spent)} in all")
assert max(spent) > 5
