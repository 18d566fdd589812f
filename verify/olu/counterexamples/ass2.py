"""Assumption 2 of olu compares a length with the number 1/tau.

f_1 = (z - c)^2/2, f_t = z^2/2 for 1 < t < tau, in K = [0, c]; a = 0, z* = c/tau: 1/tau is enough
for c = 1. The same stream in centimetres instead of metres has c = 100.
"""

from fractions import Fraction as F

tau = 10
for c in (F(1), F(100)):
    star = (c + 0 * (tau - 1)) / tau  # minimiser of the first tau losses; a = 0
    print(f"unit with c = {c}: |a - z*| = {float(star)}, allowed {1 / tau}")
assert star > F(1, tau)
