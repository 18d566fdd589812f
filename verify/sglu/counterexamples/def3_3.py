"""Lemma 3.4 of sglu fails for chains that draw their random maps each for itself.

One step x -> 7x/10 or 7x/10 + 2 plus N(0, 1/4), from 3/5 and from 0; the first chain draws the
second map with probability 9/10, the other with 1/10. D_2 is at least that of the event x > 1.
"""

from math import erfc, log, sqrt

c, s, Z = 0.7, 0.5, 0.6


def above(start, often):
    tail = lambda centre: erfc((1 - centre) / (s * sqrt(2))) / 2
    return (1 - often) * tail(c * start) + often * tail(c * start + 2)


p, q = above(Z, 0.9), above(0.0, 0.1)
least = log(p * p / q + (1 - p) ** 2 / (1 - q))  # order 2, data processing
bound = 2 * (c * Z) ** 2 / (2 * s * s)  # Lemma 3.4, alpha = 2, K = 1
print(f"D_2 is at least {least:.6f}, Lemma 3.4 gives {bound:.6f}")
assert least > bound
