"""Eq (21) of safe: class {-1, 0, 1}, 0 is deleted, at x = 1; variances divided by n."""

from math import exp, pi, sqrt
from statistics import fmean, pvariance

before, after, x = [-1.0, 0.0, 1.0], [-1.0, 1.0], 1.0


def density(x, mean, var):
    return exp(-((x - mean) ** 2) / (2 * var)) / sqrt(2 * pi * var)


moments = {name: (fmean(data), pvariance(data)) for name, data in (("t", after), ("0", before))}
z = {name: (x - mean) / sqrt(var) for name, (mean, var) in moments.items()}
fixed = density(x, *moments["t"]) / density(x, *moments["0"])
anew = density(z["t"], 0, 1) / density(z["0"], 0, 1)
print(f"z of round t: {z['t']:.9f}, z of round 0: {z['0']:.9f}")
print(f"quotient of densities: frozen {fixed:.9f}, standardised anew {anew:.9f}")
assert z["t"] != z["0"] and abs(fixed - 1.048402363) < 1e-9 and abs(anew - 1.284025417) < 1e-9
