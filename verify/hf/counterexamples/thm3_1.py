"""Theorem 3.1 of hf, exact differences: (w - c)^2/2, full batch, two steps."""

from fractions import Fraction as F

c, eta = (F(1), F(2), F(-1)), F(1, 2)


def train(gone):
    w = F(0)
    for _ in range(2):
        w -= eta / 3 * sum(w - x for i, x in enumerate(c) if i not in gone)
    return w


both = train((0, 1)) - train(())
apart = train((0,)) + train((1,)) - 2 * train(())
print(f"difference of the set: {both}; sum of the two: {apart}; gap {both - apart}")
assert both - apart == -(eta**2) / 9 * (c[0] + c[1]) != 0
