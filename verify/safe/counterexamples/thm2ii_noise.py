"""Theorem 2(ii) of safe: R_t = |w|, w_0 = w_t* = 0, V_T = 0; U = W = K = 1."""

from math import log, pi, sqrt

T, phi = 10_000, sqrt(2 * log(1.25 / 1e-5))  # epsilon = 1, delta = 1e-5
gamma = 1 / sqrt(T)
regret = T * sqrt(2 * phi / pi)  # T E|b|, b ~ N(0, phi)
bound = T * gamma / 2 + 9 / (2 * gamma)
print(f"expected regret {regret:.1f}, bound {bound:.1f}")
assert regret > 30 * bound
