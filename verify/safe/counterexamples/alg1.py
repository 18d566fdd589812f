"""Algorithm 1 of safe, round 1 (3 leaves A, -2 leaves B): eq (23) turns the step round."""

from math import exp, log
from statistics import fmean, variance

A = [1, 2, 3, 0.5]
B = [-1, -2, 0, -0.5]
w0 = 1.2
lam = 0.7


def f(x):
    return 1 / (1 + exp(-w0 * x))


def logn(x, data):
    return -log(data[2]) / 2 - (x - data[1]) ** 2 / (2 * data[2])


def moments(data):
    return len(data), fmean(data), variance(data)


def forgetting(samples):  # (x, moments of both classes now and at first)
    rows = []
    for x, now, start in samples:
        q = [log(n[0] / s[0]) + logn(x, n) - logn(x, s) for n, s in zip(now, start, strict=True)]
        rows.append(-lam * x * f(x) * (1 - f(x)) * (q[0] - q[1]))
    return fmean(rows)


start = moments(A), moments(B)
exact = moments([1, 2, 0.5]), moments([-1, 0, -0.5])
printed = []
for (n, mean, var), (_, kept_mean, _), gone in zip(start, exact, (3, -2), strict=True):
    delta2 = (mean - gone) ** 2  # one sample leaves: its covariance is 0
    printed.append((n - 1, kept_mean, (n - 2) / (n - 1) * var + n / (n - 1) ** 2 * delta2))
retention = fmean([(f(x) - 1) * x for x in (1, 2, 0.5)] + [f(x) * x for x in (-1, 0, -0.5)])
steps = []
for now in (exact, printed):
    g = retention + forgetting([(3, now, start), (-2, now, start)])
    steps.append(g)
    print(f"variances {now[0][2]:.9f} {now[1][2]:.9f}, g_1 = {g:.9f}, w_1 = {w0 - g / abs(g):.1f}")
assert steps[0] < -0.47 and steps[1] > 0.09
