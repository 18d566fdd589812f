"""olu (36) on alternating losses z + 1/2 and 3/2 - z, K = [0, 1], D = L = beta = 1.

They are >= 0 and 1-smooth on R: |y|^2/2 for |y| <= 1, |y| - 1/2 beyond, y the distance from
-1 or 2. p(t) = t, eta_t = 1/sqrt t; the noise is negligible.
"""

import math

n, k = 2000, 30
slopes, times, removed = [], [], []
for i in range(k):
    sign = 1.0 - 2 * (i % 2)
    slopes += [sign] * (2 * n if i else n)
    times.append(len(slopes))
    removed.append(sign)
slopes += [-removed[-1]] * n + [0.5]
T = len(slopes)
star = [float(sum(slopes) - sum(removed[:i]) < 0) for i in range(k + 1)]


def regret(step):
    z, total, i = 0.5, 0.0, 0
    for t, s in enumerate(slopes, 1):
        if i < k and t > times[i]:
            i += 1
        total += s * (z - star[i])
        z = min(1.0, max(0.0, z - s * step(t)))
    return total


F = sum(
    abs(s) / 2 + (s * v if s > 0 else -s * (1 - v))
    for s, v in zip(slopes, (star[sum(t > b for b in times)] for t in range(1, T + 1)), strict=True)
)
found = regret(lambda t: 1 / math.sqrt(t))
bound = 9 / 4 + 3 * math.sqrt(F)
print("regret", found, "claimed at most", bound)
assert found > bound
