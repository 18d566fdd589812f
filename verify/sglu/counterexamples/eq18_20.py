"""(18) of sglu as printed fails: x -> x/2 + N(0, 1), stationary law moved by 1, exact.

eta = 1/2, m = 1, sigma = 1 (a step adds variance 2 eta sigma^2 = 1), n = b, T = 3, alpha = 2.
"""

from fractions import Fraction as F

c, eta, sigma2, alpha, T = F(1, 2), F(1, 2), F(1), 2, 3
variance = 2 * eta * sigma2 / (1 - c * c)
gap = F(1)
for _ in range(T):
    gap = c * gap  # the variance stays the stationary one
exact = alpha * gap**2 / (2 * variance)
printed = alpha * gap**2 / (2 * eta * sigma2) * c ** (2 * T)
corrected = alpha * F(1) / (2 * eta * sigma2) * c ** (2 * T)
print(f"exact {float(exact):.6f}, printed {float(printed):.6f}, corrected {float(corrected):.6f}")
assert printed < exact <= corrected
