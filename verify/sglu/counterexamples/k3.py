"""Appendix K.3 of sglu: features N(0, I_784), |x| = 28, break L and contraction."""

from math import exp, log

x, b, lam, M = 28.0, 32, 0.011264, 1.0
eta, L = 1 / (0.25 + lam), 0.25 + lam


def clipped(w):  # (72) without lambda w, along x, label 1
    return -min(x / (1 + exp(w * x)), M)


w = log(x / M - 1) / x  # where the clipping begins
v = w + 1e-7
slope = (clipped(v) - clipped(w)) / (v - w) + lam
print(f"steepest chord {slope:.4f}, printed L {L:.4f}")
assert slope > L
# A step on a batch of 32 whose other features are orthogonal to x:
step = lambda u: u - eta * (clipped(u) / b + lam * u)
factor = abs(step(v) - step(w)) / (v - w)
print(f"a step multiplies the distance of two models by {factor:.4f}")
assert factor > 1
