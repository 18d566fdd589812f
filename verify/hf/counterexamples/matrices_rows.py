"""The Newton step of NS from n rows and n curvatures, n < d: Woodbury's formula."""

import numpy as np

n, d, ridge = 3, 10, 0.1
rng = np.random.default_rng(0)
X = rng.normal(size=(n, d))
curvatures = rng.uniform(0.1, 0.25, size=n)
g = rng.normal(size=d)
inner = np.diag(ridge / curvatures) + X @ X.T
step = (g - X.T @ np.linalg.solve(inner, X @ g)) / ridge
H = ridge * np.eye(d) + X.T @ (curvatures[:, None] * X)
print(f"{X.size + curvatures.size} numbers kept, {d * d} said to be needed")
assert np.allclose(H @ step, g)
assert X.size + curvatures.size < d * d
