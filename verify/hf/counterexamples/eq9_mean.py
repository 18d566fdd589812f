"""(9) of hf against retraining by the mean over what is kept, two quadratics."""

eta, w, v, a = 0.5, 0.0, 0.0, 0.0
for _ in range(2):
    a = (1 - eta / 2 * 2) * a + eta / 2 * (w - 1)
    w = w - eta / 2 * ((w - 1) + (w + 1))
    v = v - eta * (v + 1)
print(f"retrained - learned = {v - w}; (9) gives {a}")
assert abs(v - w - a) > 0.3
