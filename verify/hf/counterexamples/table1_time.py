"""Table 1 of hf: all n statistics in O(nd)? Count the multiplications.

Ridge losses, n = 40, d = 3, whole batches, E + 1 = 5 epochs, any K up to 100.
"""

n, d, epochs, K = 40, 3, 5, 100
X = [[float((i * 7 + j * 3) % 5 - 2) for j in range(d)] for i in range(n)]
A, count = [[0.0] * d for _ in range(n)], 0
for _ in range(epochs):
    for u in range(n):
        moved = [0.0] * d
        for x in X:  # the Hessian of the batch, times A[u]
            score = 0.0
            for j in range(d):
                score += x[j] * A[u][j]
                count += 1
            for j in range(d):
                moved[j] += x[j] * score
                count += 1
        A[u] = [a - 0.01 / n * h + 0.01 / n * x for a, h, x in zip(A[u], moved, X[u], strict=True)]
print(f"{count} multiplications; K n d = {K * n * d}; K n T d = {20 * n * epochs * d} (K = 20)")
assert count > K * n * d and count > 20 * n * epochs * d
