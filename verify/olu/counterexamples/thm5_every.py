"""olu Theorem 5, growth at T too: no constant step size will do. K = [0, 1], L = 1.

N = 3^12. Nine blocks drive the iterate across K; each ends with N//2 pairs of opposite slopes and a
deletion. Runs of 3^11, ..., 3, 1 slopes -1, each ended by the deletion of a constant loss, close
the stream. Noise negligible. Exact in fractions, run by run.
"""

from fractions import Fraction as F
from math import sqrt

m, main = 12, 9
N, half = 3**m, 3**m // 2
groups = [[(0, m - 1), (F(1, 2), 1), (1, half)]] + [[((-1) ** i, N)] for i in range(1, main)]
groups = [(g, g[-1][0]) for g in groups] + [([(-1, 3**j)], 0) for j in reversed(range(m))]
T, S, kappa, removed, slopes = 0, 0, 9, 0, []
for g, pair in groups:
    rounds = sum(n for s, n in g) + 2 * half * abs(pair)
    T, S = T + rounds, S + sum(s * n for s, n in g)
    kappa = min(kappa, F(2 * abs(S), rounds))
    slopes.append(removed)
    removed += pair


def regret(eta):
    z, total = F(1, 2), 0
    for (g, pair), removed_slope in zip(groups, slopes, strict=True):
        star = int(S - removed_slope < 0)
        for s, n in g:
            y, c, h = (z, star, eta * s) if s >= 0 else (1 - z, 1 - star, -eta * s)
            k = min(n, int(y / h) + 1) if h else n
            total += abs(s) * (k * y - h * k * (k - 1) / 2 - n * c)
            y = max(0, y - n * h)
            z = y if s >= 0 else 1 - y
        if pair:  # each pair leaves the end and comes back to it
            assert z in (0, 1)
            total += half * min(eta, 1)
    return total


k = len(groups) - 1
bound = sqrt(2 * T) + 2 * k**2 / kappa
print(f"T = {T}, k = {k}, kappa = {float(kappa):.7f}; claimed at most {bound:.1f}")
for eta in (F(1, 2889), F(1, 1445), F(1, 719), F(1, 700), F(1, 360), F(1, 180), F(1), F(9)):
    print(f"eta = {float(eta):.6f}: regret {float(regret(eta)):.1f}")
    assert regret(eta) > 6650 > bound
