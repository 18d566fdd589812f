"""Definition 2 of olu with k = 1: i = 1..k-1 is empty, so no noise at all is an OLU.

f_1 = (z - 1)^2/2, f_2 = z^2/2, w_1 = 0, w_{t+1} = w_t - f_t'(w_t)/t, tau = 3; the other run skips
f_1. Both outputs are certain; they differ, so D_alpha is infinite for every alpha.
"""

from fractions import Fraction as F


def run(skip):
    w = F(0)
    for t, x in ((1, 1), (2, 0)):
        w = w if skip and t == 1 else w - F(1, t) * (w - x)
    return w


conditions = list(range(1, 1))
with_f1, without_f1 = run(False), run(True)
divergence = 0.0 if with_f1 == without_f1 else float("inf")
print(f"conditions: {len(conditions)}; outputs {with_f1} and {without_f1}; promised eps: {1.0}")
assert not conditions and divergence > 1.0
