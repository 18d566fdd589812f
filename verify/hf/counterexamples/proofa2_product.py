"""(29) of hf: products from b(u); batches {u_1, r}, {u_2}, w^2/2, one epoch."""

eta, w, a, printed = (0.5, 0.25), 1.0, 0.0, 0.0
for step, size in zip(eta, (2, 1), strict=True):
    g = step / size * w
    a = (1 - step) * a + g
    printed = (1 - step) * (printed + g)
    w -= step * w
print(f"sum of both statistics {a}; with (29) as printed {printed}")
assert abs(a - printed) > 0.05
