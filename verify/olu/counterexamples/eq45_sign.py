"""(45) of olu with its sign: f_t(z) = (z - 1)^2/2, z_t = eta = 1/2, z* = 0."""

from fractions import Fraction as F

z, star, eta = F(1, 2), F(0), F(1, 2)
g = z - 1
after = (z - eta * g - star) ** 2
printed = (z - star) ** 2 + eta**2 * g**2 + 2 * eta * g * (z - star)
print(f"squared distance after the step {after}, printed {printed}")
assert after > printed
