"""Table 3 of safe, Sections 3.1 and 3.3: epsilon = 1, delta = 1e-5, W = 1."""

from math import log, sqrt

p, q = (0.5, 0.5), (0.9, 0.1)
kl = sum(a * log(a / b) for a, b in zip(p, q, strict=True))
dot = sum(a * b for a, b in zip(p, q, strict=True))
cosine = 1 - dot / sqrt(sum(a * a for a in p) * sum(b * b for b in q))
variance, delta = sqrt(2 * log(1.25 / 1e-5)), 1e-5
print(f"divergence {kl:.4f}, cosine loss {cosine:.4f}; variance {variance:.4f}, delta {delta}")
assert kl > 2 * cosine and variance > delta
