"""(43) of olu with steps 1/(beta + mu): 40 quadratics, one at 1, from their minimiser.

mu = L = D = 1, beta = 3, gamma = 1/2, I_1 = 6 >= log_2(40), I_2 = 10.
"""

from fractions import Fraction as F

n, I1, I2 = 40, 6, 10
a = b = F(1, n)
for _ in range(I1):
    a, b = a - (a - F(1, n)) / 4, b - b / 4
for _ in range(I2):
    a, b = a - a / 4, b - b / 4
printed = 4 * F(1, 2) ** I2 / n
print(f"apart {float(a - b)}, printed {float(printed)}")
assert a - b > printed
