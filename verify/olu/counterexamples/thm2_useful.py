"""Theorem 2 of olu, without its noise, against discard-and-restart (exact, no noise).

Restart in equal blocks: (L^2/2mu) sum of H_n <= (k+1)/2 (1 + log(T/(k+1))) L^2/mu.
"""

import math

for k, T in ((1, 10**6), (2, 10**6), (5, 10**6)):
    printed = math.log(T) + 2 * k**2
    restart = (k + 1) / 2 * (1 + math.log(T / (k + 1)))
    print(f"k = {k}, T = {T}: printed {printed:.4f}, restart {restart:.4f}")
    assert printed > restart
