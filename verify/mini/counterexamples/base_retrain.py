"""Retraining by (2) of mini has another law than SGD on the retained data."""

from fractions import Fraction
from itertools import combinations

x, gone, B = [Fraction(v) for v in (0, 1, 3, 8)], {3}, 2  # one step from 0, eta = 1


def variance(batches):
    ends = [sum(x[i] for i in rows) / len(rows) for rows in batches]
    mean = sum(ends) / len(ends)
    return sum((e - mean) ** 2 for e in ends) / len(ends)


kept = [[i for i in rows if i not in gone] for rows in combinations(range(4), B)]
own = list(combinations([0, 1, 2], B))
print(f"variance of a step by (2): {float(variance(kept)):.6f}, on D_R: {float(variance(own)):.6f}")
assert variance(kept) > variance(own)
