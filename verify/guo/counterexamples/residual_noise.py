"""Certified removal's worst-case residual when the noise is b = -60."""

n, m, lam, gam, C, b = 10, 1, 10.0, 1.0, 1.0, -60.0
kept = n - m
w = (kept * C - m * C - b) / (lam * n)  # kept slopes -C, removed slope C, noise b
assert abs(-kept * C + m * C + lam * n * w + b) < 1e-9
step = m * (lam * w + C) / (lam * kept)  # kept losses are flat up to w
slope = -C + min(gam * step**2 / 2, 2 * C)  # and then bend: l'' = gam (u - w)
left = kept * (slope + lam * (w + step)) + b
bound = 4 * gam * m**2 * C**2 / (lam**2 * kept)
print(f"gradient after the Newton step {left:.6f}, printed bound {bound:.6f}")
assert left > bound
