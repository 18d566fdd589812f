"""Lemma A.5 of hf with batches of one: (w -+ 1)^2/2 in turn, eta = 1/2 constant."""

from fractions import Fraction as F

eta, lam, M, w, T = F(1, 2), 1, 1, F(0), 20  # the minimiser over both is 0
for t in range(T):
    w -= eta * (w - (1 if t % 2 == 0 else -1))
bound = max(abs(1 - eta * lam), abs(1 - eta * M)) ** T * 2 * M / lam
print(f"|w_T| = {float(abs(w)):.10f} (cycle: eta/(2 - eta) = 1/3); bound {float(bound):.3e}")
assert abs(w) > bound
