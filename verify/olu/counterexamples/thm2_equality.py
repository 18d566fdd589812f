"""Theorem 2 of olu prints '=': not so for losses z^2/2 on [-1/2, 1/2], from 0.

d = k = 1, mu = beta = L = 1, so gamma = 0, there is no noise for tau > u, and nothing is lost.
"""

import math

T = 100
w, exact = 0.0, 0.0
for t in range(1, T + 1):
    exact += w * w / 2 - 0.0
    w -= w / t
printed = math.log(T) + 2
print(f"regret {exact:.6f}, printed {printed:.6f}")
assert exact != printed
