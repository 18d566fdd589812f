"""Safe, end of the proof of Theorem 2(ii): the sum beats its bound (U = W = 1).

Unit vectors alternate; w_t* = 0 at K = 1/2, then w_t* = g_t/|g_t| at K = 1. T = 100, w_0 = 0.
"""

import itertools
from fractions import Fraction as F


def both(gamma, radius, T=100):
    g = [0] + [(-1) ** t for t in range(1, T + 1)]
    best = [radius * x for x in g]
    total = sum((g[t + 1] - g[t]) * (-gamma * g[t] - best[t]) for t in range(T))
    V = sum(abs(b - a) for a, b in itertools.pairwise(best))
    return total, F(V, 2) + T * gamma / 2 + F(9, 2) / gamma


for gamma, radius in ((F(1, 5), 0), (F(1, 10), 1)):
    total, bound = both(gamma, radius)
    print(f"sum {float(total)}, bound {float(bound)}")
    assert total > bound
