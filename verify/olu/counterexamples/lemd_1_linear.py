"""olu Lemma D, first bullet: l(w) = w is convex and M-smooth for every M."""

M, eta = 2.0, 0.25
psi = lambda w: w - eta * 1.0
ratio = abs(psi(1.0) - psi(0.0)) / abs(1.0 - 0.0)
print(f"ratio {ratio}; claimed: at most {1 - eta * M}")
assert ratio > abs(1 - eta * M)
