"""(54) of olu: minimisers of the losses kept. (z - x_t)^2/2 on [0, 1], mu = L = 1.

Requests at 2 (deletes 1) and 10 (deletes 3); x_1 = x_2 = 0, the rest 1.
"""

from fractions import Fraction as F

x = [F(0), F(0)] + [F(1)] * 8
first = sum(x[t] for t in (1,)) / 1
second = sum(x[t - 1] for t in range(1, 11) if t not in (1, 3)) / F(8)
left, printed = abs(second - first), F(10 - 2, 10)
print(f"distance {left}, printed {printed}")
assert left > printed
