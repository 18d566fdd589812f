"""Eq (25) of safe, two classes: without the normaliser the divergence is negative."""

from math import exp, log

f0 = [0.5, 0.5]  # f(x; w_0)
q = [exp(0.4), exp(0.2)]  # factors of the two classes
weights = [a * b for a, b in zip(q, f0, strict=True)]
f = [v / sum(weights) for v in weights]  # the model that equals the normalised target
printed = sum(p * log(p / v) for p, v in zip(f, weights, strict=True))
normalised = sum(p * log(p * sum(weights) / v) for p, v in zip(f, weights, strict=True))
print(f"divergence: {abs(normalised):.9f}, as printed: {printed:.9f}")
assert printed < -0.3 < -1e-12 < normalised < 1e-12
