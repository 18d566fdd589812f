"""(16) and (60) of hf, rho = max_t rho_t: w^2/2 on [-R, R], L = C = w_0 = R.

lam = M = d = eps = 1, m = 1, whole batches: rho^T 2ML/lam grows with R, excess with R^2 (T = 1).
"""

from math import log, sqrt

R, eta, q, delta, n = 1000.0, 0.01, 0.5, 1e-5, 10**9
rho = 1 - eta
w, a = R - eta * R, eta / n * R
excess = (w + a) ** 2 / 2
drift = 2 * eta**2 * R / (1 - q) * 1
eq60 = 2 * rho * R + (sqrt(2 * log(1.25 / delta)) + 1) * R * drift + 4 * R**2 / (n - 1)
eq16 = 2 * rho * R + sqrt(log(1 / delta)) * R * drift + 4 * R**2 / (n - 1)
print(f"excess {excess:.1f}; (60) {eq60:.1f}; 100 times (16) {100 * eq16:.1f}")
assert excess > eq60 and excess > 100 * eq16
