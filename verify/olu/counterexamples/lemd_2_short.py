"""olu Lemma D, second bullet, at another step: m = 1, M = 3, eta = 1/4, l = w^2/2."""

m, M, eta = 1.0, 3.0, 0.25
psi = lambda w: w - eta * m * w
ratio = abs(psi(1.0) - psi(0.0)) / abs(1.0 - 0.0)
print(f"ratio {ratio}; claimed: at most {(M / m - 1) / (M / m + 1)}")
assert ratio > (M / m - 1) / (M / m + 1)
