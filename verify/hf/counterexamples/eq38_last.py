"""(38) of hf: unit remainders of B = 2 steps, every factor 1/2, x <- x/2 + 1 from 0."""

from fractions import Fraction as F

rho, B, x = F(1, 2), 2, F(0)
for _ in range(B):
    x = rho * x + 1
printed = sum(rho**j for j in range(B - 1)) + rho**B
print(f"at the end of the epoch {float(x)}; (38): {float(printed)}")
assert x != printed
