"""olu (C3) outside K = [-1, 1]: f = z^2/2, eta = 1/2, so Delta = eta sup_K |z| = 1/2."""

eta, x = 0.5, 5.0  # noise after the projection brought x here
after = min(max(x - eta * x, -1.0), 1.0)
print(f"the step is {abs(after - x)} long; (C3) says at most {eta * 1.0}")
assert abs(after - x) > eta * 1.0
