"""Lower precision is not better erasure: three signs stay, a fourth is unlearned."""

from fractions import Fraction
from itertools import product


def precision(weight, negate=False):  # model w = x_1 + x_2 + x_3 + weight x_u
    hits = false = 0
    for *rest, x_u, fresh in product((-1, 1), repeat=5):
        w = sum(rest) + weight * x_u
        hits += (x_u * w > 0) != negate  # accuse those with x w > 0
        false += (fresh * w > 0) != negate
    return Fraction(hits, hits + false)


retrained, worse = precision(0), precision(-2)
print(f"precision after retraining {float(retrained):.6f}, with x_u subtracted {float(worse):.6f}")
assert retrained > worse
print(f"the negated attack on the latter: {float(precision(-2, True)):.6f}")
assert precision(-2, True) > retrained
