"""More than 5 epochs at b = 512 by the interpretation of the authors' stored lists.

CIFAR-10, sigma = .05, (.01, 1/n). First request: the printed constant of Corollary 3.8. Later ones:
the shifts spread over all steps, noise variance eta sigma^2. 100 requests.
"""

from math import log, sqrt

n, b, sigma, target = 9728, 512, 0.05, 0.01
m, J = 1e-6 * n, n // b
eta = 1 / (0.25 + m)
c, M, R = 1 - eta * m, 1.0, 100.0
fresh = 2 * eta * M / b / (1 - c**J)  # Z of Corollary 3.8
distance, spent = 0.0, []
for request in range(100):
    distance, K = min(distance + fresh, 2 * R), 0  # Theorem 3.11
    while True:
        distance, K = c**J * distance, K + 1
        spread = (1 - c ** (2 * K * J)) / (1 - c * c) if request else 1
        slope = distance**2 / (2 * eta * sigma**2 * spread)
        if slope + 2 * sqrt(slope * log(n)) <= target:
            break
    spent.append(K)
print(f"{max(spent)} epochs for one request, {sum(spent)} in all (5 claimed)")
assert max(spent) > 5
