"""Safe, E[B_t]: b_t, b_{t-1} = +-1 at random; w_{t-1} = 1 - b_{t-1}."""

pairs = [(b, a) for b in (-1, 1) for a in (-1, 1)]
true = sum((1 - a - (b - a)) ** 2 - (1 - a) ** 2 for b, a in pairs) / 4
printed = sum((b - a) ** 2 - 2 * (b - a) * (1 - a - (b - a)) for b, a in pairs) / 4
first = sum((1 - b) ** 2 - 1 for b in (-1, 1)) / 2  # no noise in w_{t-1}
print(f"mean of B_t {true}, as printed {printed}, in the first round {first}")
assert (true, printed, first) == (0, 4, 1)
