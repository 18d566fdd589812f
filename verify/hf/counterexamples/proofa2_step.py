"""(28) of hf: eta_{b(u_2)} before g_{u_1}; batches {u_1, r}, {u_2}, w^2/2."""

eta, w, a, printed = (0.5, 0.25), 1.0, 0.0, 0.0
for step, size, used in ((eta[0], 2, eta[1]), (eta[1], 1, eta[1])):
    a = (1 - step) * a + step / size * w
    printed = (1 - step) * printed + used / size * w
    w -= step * w
print(f"sum of both statistics {a}; with (28) as printed {printed}")
assert abs(a - printed) > 0.05
