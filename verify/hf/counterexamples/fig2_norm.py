"""A vector with the norm of the change that is nowhere near it: its negative."""

change = (0.3, -0.4)
vector = tuple(-x for x in change)
norm = sum(x * x for x in change) ** 0.5
error = sum((x - y) ** 2 for x, y in zip(change, vector, strict=True)) ** 0.5
print(f"norms {norm:g} and {sum(x * x for x in vector) ** 0.5:g}; relative error {error / norm:g}")
assert error / norm > 1
