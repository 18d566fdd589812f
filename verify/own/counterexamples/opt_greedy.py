"""Least noise for deletions on R^d: a step skipped after the first noise breaks it.

mu = L = 1 on K = [-1/2, 1/2] (not enforced), eta_t = 1/t, w_1 = 0, x = 1/2, 0, 0, 1/2: u = 1, 4 are
deleted at tau = 3, 5. The run without f_4 keeps more of the first noise: the variances differ.
"""

from math import log

x = (0.5, 0.0, 0.0, 0.5)
u = (1, 4)
tau = (3, 5)
eps = 1.0
alpha = 5.0
sigma2, S = {}, 0.0
for j, (_first, time) in enumerate(zip(u, tau, strict=True)):
    a, passed = 1 / (time - 1), (tau[j - 1] - 1) / (time - 1)  # products of 1 - 1/t
    sigma2[time] = a * (a + 2 * passed * S) / (2 * eps)
    S = a + passed * S


def run(skipped):
    mean = var = 0.0
    for t in range(1, 6):
        var += sigma2.get(t, 0.0)
        if t < 5 and t not in skipped:
            mean = mean + (x[t - 1] - mean) / t
            var = var * (1 - 1 / t) ** 2
    return mean, var


(m, v), (m0, v0) = run(()), run(u)
mixed = alpha * v + (1 - alpha) * v0
value = alpha * (m - m0) ** 2 / (2 * mixed) + log(v / v0) / 2 + log(v / mixed) / (2 * (alpha - 1))
print(f"D_5(retrained || unlearned) = {value:.6f}; promised: {alpha * eps}")
assert value > alpha * eps
