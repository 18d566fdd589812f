"""Safe, after (33): opposite gradients, gamma = 1/2."""

gamma, now, before = 0.5, 1.0, -1.0
left = (gamma * (now - before)) ** 2
print(f"|gamma nabla|^2 = {left}, claimed at most {gamma**2}")
assert left == 4 * gamma**2
