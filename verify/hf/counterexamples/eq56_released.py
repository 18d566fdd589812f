"""(56) of hf, noise leaves W: (w - z)^2/2 on [-1, 1], z = +-1, n - m = 100.

L = 2, lam = 1; w~ = w^ + N(0, 100), w^ the mean of 100 signs: excess E w~^2/2.
"""

from math import pi, sqrt

L, lam, N, sigma = 2, 1, 100, 10.0
excess = (1 / N + sigma**2) / 2
bound = L * sigma * sqrt(2 / pi) + 4 * L**2 / (lam * N)
print(f"excess {excess:.4f}; L E|w~ - w^| + 4L^2/(lam(n-m)) = {bound:.4f}")
assert excess > bound
