"""Theorem 2(ii) of safe: losses (w - x)^2/2, 1 % leaves, no noise, K = 1/3, T = 400.

D_0: 5 points at -99 and 495 at 1, mean 0. Round 1: the 5 leave; then one at 1 each. W = c = 1.
"""

from fractions import Fraction as F

T, gamma, regret = 400, F(3, 20), F(0)
few, many = 5, 495
for t in range(1, T + 1):
    few, many = 0, many if t == 1 else many - 1
    gradient = F(few * 99 - many, few + many)  # of R_t at w_0 = 0
    w = -gamma * (1 if gradient > 0 else -1)
    regret += (w - 1) ** 2 / 2  # R_t = (w - 1)^2/2, minimiser 1
U, V = 2, 1  # |R_t'| <= 2 on [-1, 1]
bound = U * (F(V, 2) + T * gamma / 2 + F(9, 2) / gamma)
print(f"regret {float(regret)}, bound {float(bound)}")
assert regret > bound
