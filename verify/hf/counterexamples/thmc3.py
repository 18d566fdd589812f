"""Theorem C.3 of hf: exact retraining on random signs, (w - z)^2/2.

n = 1000, gamma = 1/4, L = 2, lam = 1 on [-1, 1]; the adversary deletes up to m of the minority.
"""

from fractions import Fraction as F
from math import comb

n, gamma, L, lam = 1000, F(1, 4), 2, 1
claimed = n - 4 * L**2 / (gamma * lam)


def risk(m):
    total = F(0)
    for ups in range(n + 1):
        deletions = min(m, ups, n - ups)
        total += comb(n, ups) * F(abs(2 * ups - n) + deletions, n - deletions) ** 2
    return total / 2 ** (n + 1)


print(
    f"claimed capacity {claimed}; excess at m = 399: {float(risk(399)):.6f}, at m = 400: "
    f"{float(risk(400)):.6f}; allowed {float(gamma)}"
)
assert risk(399) <= gamma < risk(400) and claimed > 399
