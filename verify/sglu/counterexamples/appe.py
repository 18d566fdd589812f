"""(29)-(30) of sglu with K_{s-1}: c = 1/2, J = 1, K_1 = 3, K_2 = 1, exact arithmetic.

Means of x -> x/2 + a_s: every request adds 1 to the offset a, which moves the stationary mean by 2.
"""

from fractions import Fraction as F

c, Z, K1, K2 = F(1, 2), F(2), 3, 1
mean = F(0)  # stationary for a_0 = 0
for _ in range(K1):
    mean = c * mean + 1
Z2 = abs(mean - 4)  # to the stationary mean for a_2 = 2
for _ in range(K2):
    mean = c * mean + 2
Z3 = abs(mean - 6)
print(f"exact {Z3}, printed {c**K1 * Z2 + Z}, with K_s {c**K2 * Z2 + Z}")
assert c**K1 * Z2 + Z < Z3
assert c**K2 * Z2 + Z == Z3
