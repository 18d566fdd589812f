"""A Newton step from Hessian-vector products: conjugate gradients, d = 40."""

import numpy as np

rng = np.random.default_rng(0)
n, d = 120, 40
X, g = rng.normal(size=(n, d)), rng.normal(size=d)
product = lambda v: X.T @ (X @ v) / n + 0.1 * v
x, r = np.zeros(d), g.copy()
p = r.copy()
for _ in range(d):
    Hp = product(p)
    step = r @ r / (p @ Hp)
    x, new = x + step * p, r - step * Hp
    p, r = new + (new @ new) / (r @ r) * p, new
held = x.size + r.size + p.size + Hp.size
print(f"residual {np.linalg.norm(product(x) - g):.1e}; numbers held {held}; Hessian {d * d}")
assert np.linalg.norm(product(x) - g) < 1e-8 and held < d * d
