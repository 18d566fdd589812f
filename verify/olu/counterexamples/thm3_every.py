"""olu Theorem 3 on alternating linear losses, K = [0, 1], D = L = 1, noise negligible.

Slopes +1 and -1 in blocks that end with a deletion; a prefix with slope S has quadratic growth
2|S|. Each deletion moves the minimiser of all the losses left to the other end.
"""

import math

m, main = 8, 25
slopes = [0.0] * (m - 1) + [0.5] + [1.0] * ((3**m - 1) // 2)
times, removed = [len(slopes)], [1.0]
for i in range(1, main):
    slopes += [1.0 - 2 * (i % 2)] * 3**m
    times.append(len(slopes))
    removed.append(slopes[-1])
for j in reversed(range(m)):
    slopes += [-1.0] * 3**j
    times.append(len(slopes))
ends = times
times = times[:-1]
removed = removed + [0.0] * (m - 1)
T, k = len(slopes), len(times)
kappa = min(2 * abs(sum(slopes[:b])) / (b - a) for a, b in zip([0, *ends[:-1]], ends, strict=True))
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
