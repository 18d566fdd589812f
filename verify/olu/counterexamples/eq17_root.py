"""(17) of olu: the root of the sum against both of its printed bounds, omega = 1.2."""

import math

omega = 1.2
for k in (1, 2, 10):
    exact = math.sqrt(sum(i ** (2 * omega) for i in range(1, k + 1)))
    first = k ** (omega + 0.5) / math.sqrt(2 * omega + 1)
    second = k ** (omega + 0.5) / math.sqrt(3)
    print(f"k = {k}: {exact:.6f}, printed {first:.6f}, then {second:.6f}")
    assert exact > first and exact > second
