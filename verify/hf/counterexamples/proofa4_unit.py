"""(37)-(38) of hf: remainder of a step against |Delta|, Hessian 0 below 0, 10 above."""

from fractions import Fraction as F

g = lambda w: 10 * max(w, 0)  # slope of a loss with Hessians in [0, 10]
w, v = F(0), F(1, 2)
remainder = abs(g(v) - g(w) - 0 * (v - w))
print(f"remainder {float(remainder)}; |Delta| = {float(v - w)}")
assert remainder > v - w
