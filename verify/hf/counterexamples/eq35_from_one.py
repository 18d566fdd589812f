"""(35) of hf with one epoch: the sum from e = 1 is empty, the derivative is not.

Batches {u}, {r}: l_u = w, l_r = w^2/2, eta = 1/2.
"""

from fractions import Fraction as F

eta, E = F(1, 2), 0
slope = F(0)  # derivative of w with respect to leaving u out
for _ in range(E + 1):
    slope += eta  # batch {u}
    slope -= eta * slope  # batch {r}
printed = sum(eta * (1 - eta) ** (E + 1 - e) for e in range(1, E + 1))
print(f"derivative {float(slope)}; (35): {float(printed)}")
assert slope != printed
