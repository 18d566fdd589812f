"""mini: a smaller k enhances the robustness. The exact AUC of <x, w> says otherwise.

Gaussian mean of n = 50, 5 forgotten, d = 200, r = 0.9; x with |x|^2 = d in the run, or replaced.
Weights of the samples in w: all 1/n, then k steps of eq (10); AUC of two Gaussian scores.
"""

from math import erf, sqrt

import numpy as np

n, u, d, eta = 50, 5, 200, 0.1
kept = np.r_[np.zeros(u), np.ones(n - u)] / (n - u)


def auc(k):
    w, v = np.full(n, 1 / n), np.zeros(n)
    for _ in range(k):
        v = eta * (kept - w) + (1 - eta) * v
    w = w + v
    others = np.sum(w[1:] ** 2)
    z = w[0] * sqrt(d) / sqrt(2 * others + w[0] ** 2)
    return (1 + erf(z / sqrt(2))) / 2


for k in (0, 10, 50):
    print(f"k = {k}: AUC {auc(k):.6f}; k = {k + 1}: AUC {auc(k + 1):.6f}")
    assert auc(k) > auc(k + 1)
assert auc(0) > 0.9 and auc(50) < 0.51
