"""(53) of olu without noise: 40 quadratics on [0, 1], two at 1, deleted; I_2 = 0.

mu = L = D = 1; phase 1 leads to the minimiser 2/40 of all, the kept losses have theirs at 0.
"""

from fractions import Fraction as F

left, printed = F(2, 40), F(1, 41)
print(f"distance {float(left)}, printed {float(printed)}")
assert left > printed
