"""Noise scales 1 % apart in d = 7850 dimensions: |x|^2 tells the two outputs apart."""

import numpy as np

d, s, epsilon = 7850, 1.01, 1.0
r = np.linspace(1e-3, 2 * np.sqrt(d), 2_000_001)  # radius: the chi distribution's range


def density(scale):
    log = (d - 1) * np.log(r) - r**2 / (2 * scale**2) - d * np.log(scale)
    return log


shift = density(1.0).max()
p = np.exp(density(s) - shift)
q = np.exp(density(1.0) - shift)
total = q.sum()  # normalises both: same factor, scale in p
delta = np.maximum(p - np.e**epsilon * q, 0).sum() / total
print(f"delta({epsilon}) is at least {delta:.4f}; promised 1e-05")
assert delta > 0.22 > 1e-5
