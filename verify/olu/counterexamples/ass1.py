"""Assumption 1 of olu is lost when a convex loss is added: |z|, |z| - z."""

grid = [i / 1000 for i in range(-1000, 1001)]


def kappa(F, star):
    return min(2 * (F(z) - F(star)) / (z - star) ** 2 for z in grid if z != star)


before = kappa(abs, 0.0)
after = kappa(lambda z: abs(z) - z, 0.0)
print(f"kappa of |z|: {before:.6f}, after adding -z: {after:.6f}")
assert after < before
