"""End of the proof of Theorem 2(i) of safe: U = W = T = K = 1, gamma = 1."""

left = 1 / 2 * (4 + 4 + 1 + 1)
right = 9 / 2 + 1
print(f"left side {left}, right side {right}")
assert right - left == 0.5
