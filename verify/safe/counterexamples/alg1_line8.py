"""Algorithm 1 of safe, round 2 (0.5 leaves A): factors of round 1 kept or renewed."""

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
first = moments([1, 2, 0.5]), moments([-1, 0, -0.5])
second = moments([1, 2]), moments([-1, 0, -0.5])
renewed = forgetting([(x, second, start) for x in (3, -2, 0.5)])
kept = forgetting([(3, first, start), (-2, first, start), (0.5, second, start)])
print(f"gradient of eq (25): {renewed:.9f}, with q for F_2 only: {kept:.9f}")
assert abs(renewed + 0.3483222853) < 1e-9 < 1e-2 < abs(renewed - kept)
