"""Eq (23) of safe over all deletions of 4 of 12 points: negative on average."""

from fractions import Fraction as F
from itertools import combinations


def moments(data):
    mean = F(sum(data), len(data))
    return mean, sum((x - mean) ** 2 for x in data) / (len(data) - 1)


data = [1, 2, 4, 8, 9, 13, 14, 20, 21, 23, 30, 31]
n, m = len(data), 4
mean, var = moments(data)
true, printed = [], []
for chosen in combinations(range(n), m):
    gone_mean, gone_var = moments([data[i] for i in chosen])
    true.append(moments([data[i] for i in range(n) if i not in chosen])[1])
    printed.append(
        F(n - m - 1, n - 1) * var - gone_var + F(n * m, (n - m) * (n - 1)) * (mean - gone_mean) ** 2
    )
averages = [sum(part) / len(part) / var for part in (true, printed)]
print(f"mean over var: true {float(averages[0]):.9f}, eq (23) {float(averages[1]):.9f}")
assert averages == [1, -F(m - 1, n - 1)]
