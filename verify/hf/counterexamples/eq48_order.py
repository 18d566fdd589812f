"""(48) of hf: curvature lam = 1/2 < M = 1, eta = 1/2."""

from fractions import Fraction as F

eta, lam, M = F(1, 2), F(1, 2), 1
eigenvalue, bound = 1 - eta * lam, 1 - eta * M
print(f"eigenvalue of I - eta H: {eigenvalue}; (48) allows at most {bound}")
assert eigenvalue > bound
