"""(18) of hf: (w - z)^2/2, n = 10, forget 3; IJ is too short by the share m/n."""

from fractions import Fraction as F

z, m = [F(4), F(2), F(3)] + [F(0)] * 7, 3
n, w = len(z), sum(z) / len(z)
step = sum(w - x for x in z[:m]) / n
exact = sum(z[m:]) / (n - m) - w
print(f"a_IJ = {step}; way to the minimiser over the rest {exact}; ratio {step / exact}")
assert step != exact and step / exact == 1 - F(m, n)
