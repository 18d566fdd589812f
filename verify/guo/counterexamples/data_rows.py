"""Certified removal's data-dependent bound on one row of norm 10."""

from math import exp, sqrt

s = lambda u: 1 / (1 + exp(-u))
gam, x, step = 1 / (6 * sqrt(3)), 10.0, 1e-3
u = -1.3169578969248166  # where l bends fastest
slope, bend = s(u), s(u) * (1 - s(u))
left = abs(s(u + x * step) - slope - bend * x * step) * x  # what a Newton step leaves
bound = gam * x * step * (x * step)
print(f"residual {left:.6e}, bound {bound:.6e}")
assert left > bound
