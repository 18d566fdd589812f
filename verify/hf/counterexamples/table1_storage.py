"""Stage II of hf after Stage I, n = 6, d = 4, T = 30: numbers held."""

n, d, T = 6, 4, 30
iterates = [[0.0] * d for _ in range(T + 1)]
statistics = [[0.0] * d for _ in range(n)]
held = sum(map(len, iterates)) + sum(map(len, statistics))
print(f"{held} numbers held; nd = {n * d}")
assert held > n * d
