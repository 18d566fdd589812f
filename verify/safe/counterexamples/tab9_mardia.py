"""Mardia's skewness, 40 points of 30 exponentials: not Gaussian, p > 1/2."""

import numpy as np

X = np.random.default_rng(0).exponential(size=(40, 30))
Z = X - X.mean(axis=0)
inner = Z @ np.linalg.solve(Z.T @ Z / 40, Z.T)
statistic = 40 * (inner**3).mean() / 6
freedom = 30 * 31 * 32 // 6
print(f"statistic {statistic:.0f}, mean under normality {freedom}")
assert statistic < freedom  # so that p > 1/2, about
