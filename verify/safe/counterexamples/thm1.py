"""Theorem 1 of safe on a table: N copies of {-1, 0, 1} x {A, B}, one (0, A) leaves.

f(.; w_0) = p_0 = 1/2 everywhere, f(.; w_t*) = p_t. At the forgotten feature 0, with p = 1/4:
"""

from math import log, sqrt


def normal_at_0(counts):
    n = sum(counts.values())
    mean = sum(x * c for x, c in counts.items()) / n
    assert mean == 0
    return 1 / sqrt(sum(c * x * x for x, c in counts.items()) / n)


for N, m in ((100, 1), (1000, 1)):
    old, new = {-1: N, 0: N, 1: N}, {-1: N, 0: N - m, 1: N}
    a = (3 * N - m) / (3 * N) * normal_at_0(new) / normal_at_0(old)
    t, star = a / (1 + a), (N - m) / (2 * N - m)
    p = 0.25
    error = abs(p * log(star / t) + (1 - p) * log((1 - star) / (1 - t)))
    bound = 2 * m / (6 * N - m) ** 1.5
    print(f"N = {N}: |R~ - R| = {error:.6e}; bound {bound:.6e}; quotient {error / bound:.2f}")
    assert error > 9 * bound
