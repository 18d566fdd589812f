"""hf: a Hessian-vector product of a batch in O(d)? Multiplications counted."""

d, K = 10, 100  # any constant K: take b > K/4
b, multiplications = 1000, 0
X = [[1.0] * d for _ in range(b)]
a = [1.0] * d
out = [0.0] * d
for x in X:  # H a = sum_i curvature_i x_i <x_i, a>
    score = 0.0
    for j in range(d):
        score += x[j] * a[j]
        multiplications += 1
    for j in range(d):
        out[j] += x[j] * score
        multiplications += 1
print(f"{multiplications} multiplications; K d = {K * d}")
assert multiplications > K * d
