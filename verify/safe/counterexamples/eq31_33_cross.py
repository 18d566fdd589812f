"""Safe (31)-(33): b_t = 1, b_{t-1} = 0, w_{t-1} = 2, step 1/10, w* = 1/2."""

from fractions import Fraction as F

beta, w, step, best = F(1), F(2), F(1, 10), F(1, 2)
true = (w - step - beta - best) ** 2 - (w - step - best) ** 2
printed = beta**2 - 2 * beta * (w - step - beta - best)
print(f"what the noise adds: {float(true)}, B_t as printed: {float(printed)}")
assert printed - true == 2 * beta**2
