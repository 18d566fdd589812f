"""olu (28) on alternating linear losses: K = [0, 1], L = 1.

A prefix with slope S has quadratic growth 2|S|; the losses of z* and of z_i* are compared.
"""

n, k = 400, 20
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
moved = sum(
    s * (star[0] - v)
    for s, v in zip(slopes, (star[sum(t > b for b in times)] for t in range(1, T + 1)), strict=True)
)
bound = (k**2 + k) / kappa
print("kappa =", kappa, "the comparators' losses differ by", moved, "claimed at most", bound)
assert kappa == 1 and abs(moved) > bound
