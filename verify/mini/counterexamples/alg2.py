"""Algorithm 2 of mini: stored before the request, and too little for m = 2."""

eta, T, k = 0.5, 4, 2
x = [1.0, 3.0]  # losses (w - x)^2/2, whole batches
mean = lambda w, rows: sum(w - x[j] for j in rows) / len(rows)
w, W, G = 0.0, [0.0], []
for _ in range(T):
    unlearned = []  # nobody has asked yet: D_U is empty
    G.append(eta * (mean(w, [0, 1]) - mean(w, [j for j in (0, 1) if j not in unlearned])))
    w -= eta * mean(w, [0, 1])
    W.append(w)
stored, asked = 0.0, 0.0
for l in range(T - k, T):  # equation (10); later sample 1 asks to leave
    stored = G[l] + (1 - eta) * stored
    asked = eta * (mean(W[l], [0, 1]) - mean(W[l], [0])) + (1 - eta) * asked
print(f"equation (10) from the stored G: {stored:.6f}; for the request: {asked:.6f}")
assert stored != asked

k, m = 10, 2  # H(l) takes its pairs from w_{l-1-m}..w_{l-1}
read = {i for l in range(2, k + 1) for i in range(l - 1 - m, l)} | set(range(k + 1))
print(f"iterates stored {k + 1}, read {len(read)}")
assert len(read) > k + 1
