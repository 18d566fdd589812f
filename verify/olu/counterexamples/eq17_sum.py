"""Sums of powers, as in (39) of olu: sum of i^1.2 against k^2.2/2.2."""

for k in (1, 2, 10):
    exact = sum(i**1.2 for i in range(1, k + 1))
    printed = k**2.2 / 2.2
    print(f"k = {k}: {exact:.6f}, printed {printed:.6f}")
    assert exact > printed
