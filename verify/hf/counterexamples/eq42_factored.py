"""(42) of hf against (41): the third term gets the factor 2 eta^2 C/(1 - q) too."""

from fractions import Fraction as F

eta = F(1, 4)
C = 1
q = F(1, 2)
rho = F(3, 4)
E = 1
B = 1
b = 2
b_u = 0
T, factor = (E + 1) * B, 2 * eta**2 * C / (1 - q)
zeta = (rho**T - q**T) / (rho - q) - (rho**T - q ** (2 * T)) / (rho - q**2)
third = 2 * C * eta / b * (rho**T - q**T) / (rho**B - q**B) * rho ** (B - b_u - 1) * q**b_u
eq41 = factor * zeta + third
eq42 = factor * (zeta + third)
print(f"(41): {float(eq41):.9f}; (42): {float(eq42):.9f}")
assert eq41 != eq42
