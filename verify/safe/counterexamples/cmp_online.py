"""Online convex losses, n blocks of n random signs: no regret is O(sqrt T + V).

R_t = s_t w on [-1, 1], s_t = +-1 with equal chances: every algorithm expects 0, and the best point
of each block gains |sum s_t|, n C(n-1, (n-1)/2)/2^(n-1) in the mean for odd n. The best point moves
by 2 with chance 1/2 between blocks.
"""

from math import comb

for n in (99, 999, 9999):
    gain = n * comb(n - 1, (n - 1) // 2) / 2 ** (n - 1)
    T, V = n * n, n - 1
    print(f"T = {T}, mean V = {V}: regret {n * gain:.1f}, sqrt T + V = {T**0.5 + V:.1f}")
    assert n * gain > 0.39 * n**0.5 * (T**0.5 + V)
