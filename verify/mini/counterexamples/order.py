"""mini, Section 4.2: H(l+1)(H(l)u) recovers H(l+1)H(l), not H(l)H(l+1)."""

import numpy as np

first = np.array([[0.9, 0.1], [0.1, 0.5]])
then = np.array([[0.2, 0.3], [0.3, 0.8]])
found = sum(np.outer(then @ (first @ u), u) for u in np.eye(2))
print(f"recovered {found[0, 1]:.4f}; H(l)H(l+1) has {(first @ then)[0, 1]:.4f}")
assert abs(found[0, 1] - (first @ then)[0, 1]) > 0.1
