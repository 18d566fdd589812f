"""hf Appendix C.2: k lines in O(kTd)? Count multiplications, k = 2, T = 3, d = 4."""

k, T, d, K, b = 2, 3, 4, 100, 100
count = 0
for _ in range(T):
    for _ in range(k):
        for _ in range(b):  # H a = sum_i curvature_i x_i <x_i, a>
            count += 2 * d
print(f"{count} multiplications; K k T d = {K * k * T * d}")
assert 2 * count > K * k * T * d  # as many additions again
