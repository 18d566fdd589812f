"""olu, doubling for an unknown T: the bounds of restarts and of one run."""

from math import sqrt

restarts = [2**j for j in range(12)]
T = sum(restarts)
paid, known = sum(sqrt(t) for t in restarts), sqrt(T)
print(f"T = {T}: restarts {paid:.2f}, one run {known:.2f}, 2.6132 sqrt T = {2.6132 * known:.2f}")
assert 2 * known < paid < 2.6132 * known
