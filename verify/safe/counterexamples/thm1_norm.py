"""Proof of safe's Theorem 1: the prefactor is lambda/M_t, not 1/|D_t|."""

from math import log

lam, M, kept = 1000, 400, 59600
f, target, star = (0.3, 0.7), (0.45, 0.55), (0.4, 0.6)


def kl(p, q):
    return sum(a * log(a / b) for a, b in zip(p, q, strict=True))


difference = lam / M * M * (kl(f, target) - kl(f, star))  # (25) minus (10), M equal samples
total = M * sum(a * (log(s) - log(t)) for a, s, t in zip(f, star, target, strict=True))
print(f"R~ - R = {difference:.6f}; sum/|D_t| = {total / kept:.6e}")
assert abs(difference / (total / kept) / 149000 - 1) < 1e-9
