"""olu Theorem 5: no constant step size will do. K = [0, 1], D = L = 1, noise negligible.

Blocks of one slope end with pairs of opposite slopes and a deletion. With 1/(2n) <= eta <= 1 each
block crosses K, at a cost of 1/(2 eta), and each pair costs eta; longer steps pay 1 a pair,
shorter ones n for every second block. Simulated around the best step size.
"""

import math

n, k, pairs = 6000, 6, 12000
slopes, times, removed = [], [], []
for i in range(k):
    sign = 1.0 - 2 * (i % 2)
    slopes += [sign] * (2 * n if i else n) + [-sign, sign] * pairs
    times.append(len(slopes))
    removed.append(sign)
slopes += [-removed[-1]] * n + [0.5]
T = len(slopes)
starts = [0, *times[:-1]]
kappa = min(2 * abs(sum(slopes[:b])) / (b - a) for a, b in zip(starts, times, strict=True))
star = [float(sum(slopes) - sum(removed[:i]) < 0) for i in range(k + 1)]


def regret(step):
    z, total, i = 0.5, 0.0, 0
    for t, s in enumerate(slopes, 1):
        if i < k and t > times[i]:
            i += 1
        total += s * (z - star[i])
        z = min(1.0, max(0.0, z - s * step(t)))
    return total


low = min(n * ((k - 1) // 2), k * math.sqrt(2 * pairs), k * pairs)
bound = math.sqrt(2 * T) + 2 * k**2 / kappa
best = math.sqrt(1 / (2 * pairs))
for eta in (best / 4, best / 2, best, 2 * best, 4 * best):
    found = regret(lambda t, eta=eta: eta)
    print("eta", eta, "regret", found, "at least", low, "claimed at most", bound)
    assert found > low > bound
