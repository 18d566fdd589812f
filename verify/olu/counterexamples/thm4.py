"""olu Theorem 4 on alternating losses z + 1/2 and 3/2 - z, K = [0, 1], D = L = beta = 1.

They are >= 0 and 1-smooth on R: |y|^2/2 for |y| <= 1, |y| - 1/2 beyond, y the distance from
-1 or 2. p(t) = t, so that u_0 = 1 will do; the noise is negligible. The constant in O() is 10.
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


tau = times
u = [t - 1 for t in tau]
F = sum(
    abs(s) / 2 + (s * v if s > 0 else -s * (1 - v))
    for s, v in zip(slopes, (star[sum(t > b for b in times)] for t in range(1, T + 1)), strict=True)
)
G3 = math.sqrt(sum(t / r**2 for r, t in zip(u, tau, strict=True)))
bound = 10 * (1 + math.sqrt(F) + k**2 * G3)
found = regret(lambda t: 1 / math.sqrt(t))
print("regret", found, "claimed at most", bound, "with the constant 10")
assert found > bound
