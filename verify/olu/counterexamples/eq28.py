"""olu (28) on alternating linear losses: K = [0, 1], L = 1.

A prefix with slope S has quadratic growth 2|S|; the losses of z* and of z_i* are compared.
"""

n, k, pairs = 400, 20, 0
slopes, times, removed = [], [], []
for i in range(k):
    sign = 1.0 - 2 * (i % 2)
    slopes += [sign] * (2 * n if i else n) + [-sign, sign] * pairs
    times.append(len(slopes))
    removed.append(sign)
slopes += [-removed[-1]] * n + [0.5]
ends = times
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


moved = sum(
    s * (star[0] - v)
    for s, v in zip(slopes, (star[sum(t > b for b in times)] for t in range(1, T + 1)), strict=True)
)
bound = (k**2 + k) / kappa
print("kappa =", kappa, "the comparators' losses differ by", moved, "claimed at most", bound)
assert kappa == 1 and abs(moved) > bound
