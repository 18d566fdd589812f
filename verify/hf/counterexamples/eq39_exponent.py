"""(39) of hf: B = 2, E = 0, rho = 1/2, q = 1/2."""

from fractions import Fraction as F

rho, q, T, B = F(1, 2), F(1, 2), 2, 2
line = sum((q ** (T - j) - q ** (2 * (T - j))) * rho ** (j - 1) for j in range(1, B + 1))
printed = sum(rho ** (k - T - 1) * (q**k - q ** (2 * k)) for k in range(T - B, T))
print(f"the line above {float(line)}; its sum {float(printed)}")
assert line != printed
