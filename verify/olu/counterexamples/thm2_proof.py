"""The last step to Theorem 2 of olu, 1 + k + k^2 <= 2 k^2, fails at k = 1."""

k = 1
print(f"k = {k}: 1 + k + k^2 = {1 + k + k**2}, 2 k^2 = {2 * k**2}")
assert 1 + k + k**2 > 2 * k**2
