"""(51) of hf for batches of one: l = (w -+ 1)^2/2, w_0 = 0 is the minimiser."""

from fractions import Fraction as F

eta, w = F(1, 2), F(0)
after = w - eta * (w - 1)
bound = abs(1 - eta) * abs(w)
print(f"distance after the step {after}; rho times the distance before it {bound}")
assert after > bound
