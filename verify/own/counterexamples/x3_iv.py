"""The one-segment form of Theorem X3 (iv) is no bound at K = 0: one event, any start.

Linear losses -d x on [-1, 1], eta = M = b = 1, J = 8 batches, T = 1 epoch, K = 0, s = 3: the last
batch moves x by d = 1 on D and by d = -1 on D' (q = 2), the others by nothing. Whatever x in
[-1, 1] came before, P(x_8 > 0) differs by Phi((x + 1)/s) - Phi((x - 1)/s), least at the ends.
"""

from math import erf, sqrt

Phi = lambda t: (1 + erf(t / sqrt(2))) / 2
R, q, s, J = 1.0, 2.0, 3.0, 8
apart = min(Phi((x + 1) / s) - Phi((x - 1) / s) for x in (-R, R))
mu = (2 * R + q) / (s * sqrt(J))  # printed: c = 1, T = 1, K = 0, j0 = J - 1
allowed = 2 * Phi(mu / 2) - 1  # total variation of mu-Gaussian-DP
print(f"probabilities differ by at least {apart:.6f}, mu = {mu:.6f} allows {allowed:.6f}")
assert apart > allowed
