"""Eq (23) of safe on three and on four points, in rational numbers."""

from fractions import Fraction as F


def moments(data):
    mean = F(sum(data), len(data))
    return mean, sum((x - mean) ** 2 for x in data) / max(len(data) - 1, 1)


for data, gone, kept in (([0, 2, 4], [4], [0, 2]), ([-1, 1, -1, 1], [-1, 1], [-1, 1])):
    n, m = len(data), len(gone)
    mean, var = moments(data)
    gone_mean, gone_var = moments(gone)
    printed = (
        F(n - m - 1, n - 1) * var - gone_var + F(n * m, (n - m) * (n - 1)) * (mean - gone_mean) ** 2
    )
    true = moments(kept)[1]
    right = (n - 1) * var - (m - 1) * gone_var - F(n * m, n - m) * (mean - gone_mean) ** 2
    print(f"{data} without {gone}: variance {float(true)}, eq (23) gives {float(printed):.9f}")
    assert printed != true == right / (n - m - 1)
assert printed == F(-14, 9)
