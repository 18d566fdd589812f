"""(3) of hf: n = 6 samples in B = 3 batches, E + 1 = 2 epochs."""

n, B, E = 6, 3, 1
batches = [range(b * n // B, (b + 1) * n // B) for e in range(E + 1) for b in range(B)]
visits = [sum(i in rows for rows in batches) for i in range(n)]
printed = len([(e, b) for e in range(E + 1) for b in range(B + 1)])
print(f"steps that visit every sample {visits[0]} times: {len(batches)}; printed: {printed}")
assert set(visits) == {E + 1} and printed > len(batches)
