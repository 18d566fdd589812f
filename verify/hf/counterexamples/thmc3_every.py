"""Theorem C.3 of hf for every (1, .005)-unlearning pair, (w - z)^2/2 and gamma = .01.

Data that are all +1 leave a law Q with E_Q (1 - w)^2/2 <= gamma, by the capacity claimed for them.
If half of the signs are -1 and all of them are deleted, unlearning is close to Q, which is far from
the optimum 0: in L2 of the part of mass 1 - delta below e^eps Q, by Minkowski's inequality.
"""

from fractions import Fraction as F
from math import comb, exp, sqrt

n = 4000
epsilon = 1
delta = 0.005
gamma = 0.01
p = F(1, 2)
claimed = n - 4 * 2**2 / gamma
far = 2 * float(p) * sqrt(1 - delta) - sqrt(2 * exp(epsilon) * gamma)
m = int(claimed)
reached = float(F(sum(comb(n, k) for k in range(m + 1)), 2**n))  # P(at most m signs are -1)
print(
    f"claimed capacity {claimed:g}; excess after {m} deletions at least "
    f"{reached * far**2 / 2:.6f}, allowed {gamma}"
)
assert m == claimed < n and far > 0 and reached * far**2 / 2 > 10 * gamma
