"""Theorem 2(ii) of safe: median stream, V_T = 1, no noise: T (1 - gamma)."""

from math import log

regret = {T: sum(abs(T**-0.5 - 1) for _ in range(T)) for T in (100, 6400)}
slope = log(regret[6400] / regret[100]) / log(64)
print(f"regrets {regret[100]:.1f} and {regret[6400]:.1f}: exponent {slope:.3f}, claimed 0.5")
assert slope > 0.99
