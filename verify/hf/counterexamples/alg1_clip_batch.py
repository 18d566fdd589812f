"""hf with the right clip (min) on the mean of a batch: the approximator does not see it.

Two samples l = 3w, C = 1, whole batches, T = 1, eta = 1: both runs step by 1, so D = 0.
"""

from fractions import Fraction as F

C, eta, g, b = 1, 1, F(3), 2
clip = lambda x: x * min(F(1), C / abs(x))
learned = -eta * clip(2 * g / b)
retrained = -eta * clip(g / b)
a = eta / F(b) * g  # (9): (eta/b) g_u
error = abs(retrained - learned - a)
bound = 2 * C * eta / F(b)  # (41) at T = 1
print(f"error {float(error)}; (41): {float(bound)}")
assert error > bound
