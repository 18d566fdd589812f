"""(52) of hf: a distance below rho^T < 1 times itself; w^2/2, T = 2."""

from fractions import Fraction as F

eta, T, w = F(1, 2), 2, F(1)
for _ in range(T):
    w -= eta * w
bound = (1 - eta) ** T * w
print(f"distance {w}; rho^T times itself {bound}")
assert w > bound
