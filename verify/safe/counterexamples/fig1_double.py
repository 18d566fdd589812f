"""Safe, conclusion: more than double the efficiency of the second. MNIST, seconds."""

ratio = 1.66 / 1.13
print(f"ratio {ratio:.4f}, printed: more than 2")
assert ratio < 1.5
