"""olu (36), last step, at D = 1, beta = 4, F* = 100, B = 0: it drops beta."""

from math import sqrt

D, beta, F, B = 1.0, 4.0, 100.0, 0.0
before = 9 * D**2 * beta / 4 + B + 3 * D * sqrt(beta * (F + B))
after = 9 * D**2 * beta / 4 + 3 * D * sqrt(F) + sqrt(3 * beta) * D * B
print("before", before, "claimed at most", after)
assert before > after
