"""(5) of hf, a batch of b = 4 samples with gradient 1 each, m = 2 of them in U."""

eta, b, m = 0.5, 4, 2
scaled = eta * (b - m) / b  # the paper: the step is scaled by the kept share
without_U = scaled * sum([1.0] * (b - m)) / (b - m)
without_one = eta / b * sum([1.0] * (b - 1))
print(f"step on the kept samples: {without_U}; (5): {without_one}")
assert without_one > without_U
