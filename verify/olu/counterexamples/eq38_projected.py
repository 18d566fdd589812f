"""olu (38) where the projection acts, on K = [0, 1], without noise."""

z, star, g, eta = 0.1, 0.5, 1.0, 1.0
after = min(1.0, max(0.0, z - eta * g))
left = g * (z - star)
right = ((z - star) ** 2 - (after - star) ** 2) / (2 * eta) + eta * g**2 / 2
print("left side", left, "right side", right)
assert left < right - 0.1
