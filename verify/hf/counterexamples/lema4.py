"""Lemma A.4 of hf with U chosen after the data: n = 1000 random signs, delete m = 600.

l = (w - z)^2/2 on [-1, 1]: L = 2, lam = 1, w* = 0, excess w^2/2. U: all -1, and +1 to fill up.
"""

from fractions import Fraction as F
from math import comb

n, m, L, lam = 1000, 600, 2, 1
risk = F(0)
for downs in range(n + 1):
    left = max(0, downs - m)  # -1 that stay
    w = 1 - F(2 * left, n - m)
    risk += F(comb(n, downs), 2**n) * w * w / 2
bound = F(4 * L**2, lam * (n - m))
print(f"expected excess risk {float(risk):.6f}; 4L^2/(lam(n-m)) = {float(bound):.6f}")
assert risk > bound
