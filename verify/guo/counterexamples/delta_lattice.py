"""Certified removal: a residual of the allowed length may give b away."""

import random
from math import exp

residual, c, epsilon = 0.1, 6.0, 1.0
sigma = c * residual / epsilon  # objective w^2/2 + b w on the retained data
draw = random.Random(0)
for b in [draw.gauss(0, sigma) for _ in range(100)]:
    w = -2 * residual * round(b / (2 * residual))  # the removal rounds: gradient w + b is the rest
    assert abs(w + b) <= residual + 1e-12
    assert abs(w / (2 * residual) - round(w / (2 * residual))) < 1e-9
# Removal always lands on the lattice, retraining (w = -b) with probability 0.
true = 1.0 - exp(epsilon) * 0.0
claimed = 1.5 * exp(-c * c / 2)
print(f"delta of the event 'on the lattice': {true:.6f}, claimed {claimed:.3e}")
assert true > claimed
