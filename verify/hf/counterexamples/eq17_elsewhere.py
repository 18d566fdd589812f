"""(17) of hf away from the minimiser: (w - z)^2/2, z = 1, 0, 0, w = 1."""

from fractions import Fraction as F

z, w = [F(1), F(0), F(0)], F(1)
step = (w - z[0]) / 2  # H_{S-U} = 2, g_u = w - 1 = 0
exact = sum(z[1:]) / 2 - w
print(f"a_NS = {step}; way to the minimiser over the rest {exact}")
assert step != exact
