"""(53) of hf: l = w^2/2 on [-3, 3] (lam = M = 1, L = 3) at w = 3."""

from fractions import Fraction as F

lam, M, L, w = 1, 1, 3, 3
excess, bound = F(w * w, 2), F(2 * M**2, lam)
print(f"F(3) - F(0) = {excess}; 2M^2/lam = {bound}; L^2/(2 lam) = {F(L**2, 2 * lam)}")
assert excess > bound
