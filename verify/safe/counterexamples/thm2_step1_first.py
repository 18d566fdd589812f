"""Safe, first step in the proof of Theorem 2: K = W = U = c = 1, T = 100.

102 points at 0, 101 at 1; those at 0 leave, then one at 1 in each round. w_0 = 0, gamma = 1/10.
"""

from fractions import Fraction as F

gamma = F(1, 10)
slope = -1  # of R_t at w_0, for every t >= 1
w, best = -gamma * slope, 1  # w_t and w_t*
left = abs(abs(w - 1) - abs(best - 1))
nabla = slope - slope
print(f"error {float(left)}, bound {float(abs(nabla * (w - best)))}")
assert left == F(9, 10) and nabla == 0
