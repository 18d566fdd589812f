"""olu (31) with D = eta_t = 1: the comparator goes to 1 and back, the iterate follows.

Both times a distance of 1 becomes 0, after rounds that cost nothing.
"""

z = [0, 0, 0, 1, 1, 0]
star = [0, 0, 1, 1, 0]
left = sum((a - v) ** 2 - (b - v) ** 2 for a, b, v in zip(z[:-1], z[1:], star, strict=True)) / 2
right = 1 / 2
print("sum of both blocks", left, "claimed at most", right)
assert left > right
