"""olu Theorem 1 and Corollary 1: two deletions, K = [-1, 1], noise outside P."""

import numpy as np

eps, alpha, w, eta = 0.01, 2.0, 1.2, 0.5
# z_1 = 0, f_2 = (z - 1)^2/2, f_3 = z^2/2, deleted at the rounds 2 and 3 in which they come.
one = w / (2 * (w - 1) * eps) * (eta * 2) ** 2  # Delta_2 = eta sup_K |z - 1| = 1
two = w * 2**w / (2 * (w - 1) * eps) * (eta * 1) ** 2  # Delta_3 = eta sup_K |z| = 1/2
# X_2 = 1/2 + noise; X_3 = P[X_2/2] + noise.  Retrained: 0 + noise + noise, both losses skipped.
normal = lambda x, v: np.exp(-x * x / (2 * v)) / np.sqrt(2 * np.pi * v)
y = np.linspace(-1, 1, 2001)
mass = normal(y - 0.25, one / 4) * (y[1] - y[0])
mass[[0, -1]] /= 2
area = lambda f, x: ((f[1:] + f[:-1]) / 2 * np.diff(x)).sum()
tail = np.linspace(0, 60, 600001) * np.sqrt(one)
for end, sign in ((0, -1), (-1, 1)):  # what the projection puts on -1 and 1
    mass[end] += area(normal(sign + sign * tail - 0.25, one / 4), tail)
x = np.linspace(-25, 25, 4001) * np.sqrt(two)
p = sum(m * normal(x - at, two) for m, at in zip(mass, y, strict=True))
divergence = np.log(area(p * p / normal(x, one + two), x))
print(f"mass {mass.sum():.9f}; D_2 = {divergence:.8f}; promised: {alpha * eps}")
assert divergence > 2 * alpha * eps
