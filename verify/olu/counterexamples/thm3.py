"""olu Theorem 3 on alternating linear losses, K = [0, 1], D = L = 1, noise negligible.

Slopes +1 and -1 in blocks that end with a deletion; a prefix with slope S has quadratic growth
2|S|. Each deletion moves the minimiser of all the losses left to the other end.
"""

import math

n, k = 4000, 20
slopes, times, removed = [], [], []
for i in range(k):
    sign = 1.0 - 2 * (i % 2)
    slopes += [sign] * (2 * n if i else n)
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


bound = 3 * math.sqrt(T) + 2 * k**2 / kappa
found = regret(lambda t: 1 / math.sqrt(t))
print("T =", T, "k =", k, "kappa =", kappa, "regret", found, "claimed at most", bound)
assert kappa == 1 and found > bound
