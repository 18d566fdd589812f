"""Leave-one-out vectors: n = 3, U = {0, 1}, l = (w - c)^2/2, eta = 1/2."""

from fractions import Fraction as F

eta, c, n = F(1, 2), (1, 2, -1), 3


def approximator(gone, w=F(0), A=F(0)):
    for _ in range(2):
        A -= eta / n * ((n - len(gone)) * A - sum(w - c[u] for u in gone))
        w -= eta / n * sum(w - x for x in c)
    return A


both = approximator({0, 1})
single = approximator({0}) + approximator({1})
print(f"A of the set: {both} = {float(both):.6f}; sum: {single} = {float(single):.6f}")
assert both != single
