"""Mini (k = 10) and DeltaGrad on whole batches of (w - x)^2/2, eta = 0.01."""

eta, T, k, j0, x = 0.01, 40, 10, 1, [1.0, 3.0, -2.0, 0.5]
kept = x[1:]  # sample 0 is forgotten
mean = lambda w, points: sum(w - c for c in points) / len(points)
W, retrained = [0.0], 0.0
for _ in range(T):
    W.append(W[-1] - eta * mean(W[-1], x))
    retrained -= eta * mean(retrained, kept)
v = 0.0
for t in range(T - k, T):  # equation (10)
    v = eta * (mean(W[t], x) - mean(W[t], kept)) + (1 - eta) * v
mini = abs(W[T] + v - retrained)
u, pair = 0.0, None
for t in range(T):  # DeltaGrad, exact for t <= j0 only
    old, s = mean(W[t], x), u - W[t]
    if t <= j0:
        new = mean(u, x)
        pair = (s, new - old) if s * (new - old) > 0 else pair
    else:
        new = old + pair[1] / pair[0] * s
    u -= eta / len(kept) * (len(x) * new - (u - x[0]))
print(f"distance to retraining: Mini {mini:.3e}, DeltaGrad {abs(u - retrained):.3e}")
assert mini > abs(u - retrained)
