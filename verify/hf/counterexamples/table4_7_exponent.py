"""Table 6 of hf: growth of the error with the deletion rate, n = 20,000, synthetic.

The stated recursion (9)-(11) against retraining (5); whole batches, T = 50, .05 (.995)^t.
"""

import numpy as np

rng = np.random.default_rng(0)
n, p, T = 20_000, 10, 50
X = rng.normal(size=(n, p)) * 3
y = (rng.random(n) < 1 / (1 + np.exp(-X @ rng.normal(size=p)))) * 1.0


def error(m):
    w, v, a = np.zeros(p), np.zeros(p), np.zeros(p)
    for t in range(T):
        eta = 0.05 * 0.995**t
        s = 1 / (1 + np.exp(-X @ w))
        r = 1 / (1 + np.exp(-X[m:] @ v))
        a = a - eta / n * X.T @ (s * (1 - s) * (X @ a)) + eta / n * X[:m].T @ (s - y)[:m]
        w = w - eta / n * X.T @ (s - y)
        v = v - eta / n * X[m:].T @ (r - y[m:])
    return np.linalg.norm(v - w - a)


few, many = error(n // 20), error(3 * n // 10)
slope = np.log(many / few) / np.log(6)
table = np.log(0.1192 / 0.0215) / np.log(6)
print(f"errors {few:.2e} and {many:.2e}: exponent {slope:.3f}; Table 6 {table:.3f}")
assert slope > table + 0.5
