"""Theorem 2(ii) of safe without noise. Losses |w - x|, U = W = c = K = 1, T = 100.

D_0: 102 points at 0 (the median, w_0) and 101 at 1. Round 1: all at 0 leave; then one at 1 each.
"""

from fractions import Fraction as F

T, gamma, regret = 100, F(1, 10), F(0)
zeros, ones = T + 2, T + 1
for t in range(1, T + 1):
    zeros, ones = 0, ones if t == 1 else ones - 1
    slope = F(-ones, zeros + ones)  # at w_0 = 0, where |w| has slope 0
    w = -gamma * (1 if slope > 0 else -1)
    regret += F(zeros * abs(w) + ones * abs(w - 1), zeros + ones)
V = 1  # the median moves once, from 0 to 1
bound = F(V, 2) + T * gamma / 2 + F(9, 2) / gamma
print(f"regret {float(regret)}, bound {float(bound)}")
assert regret == 90 and bound == F(101, 2)
