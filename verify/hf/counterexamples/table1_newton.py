"""hf: a Newton step without one sample, no Hessian inverted anew. Multiplications."""

import numpy as np

rng = np.random.default_rng(0)
d, K = 200, 0.1
X = rng.normal(size=(3 * d, d))
P = np.linalg.inv(X.T @ X)  # stored: what IJ pre-computes
x, g = X[0], rng.normal(size=d)
Px, Pg = P @ x, P @ g  # d^2 multiplications each
step = Pg + Px * (x @ Pg) / (1 - x @ Px)  # 4d more
count = 2 * d**2 + 4 * d
exact = np.linalg.solve(X[1:].T @ X[1:], g)
print(f"{count} multiplications; K d^3 = {K * d**3:.0f}; apart {np.abs(step - exact).max():.1e}")
assert np.allclose(step, exact) and count < K * d**3
