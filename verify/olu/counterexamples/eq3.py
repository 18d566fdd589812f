"""Equation (3) of olu with noise after the projection: half of the outputs leave K.

K = [-1, 1]; the base update projects -3 to -1, rho adds N(0, 1/4).
"""

from math import erf, sqrt

Phi = lambda t: (1 + erf(t / sqrt(2))) / 2
z, sigma = max(-1.0, min(1.0, -3.0)), 0.5
outside = Phi((-1 - z) / sigma) + 1 - Phi((1 - z) / sigma)
print(f"probability outside K: {outside:.6f}; allowed: {0.0}")
assert outside > 0
