"""Line 1 of mini's Algorithm 1 with u_1 = (1, 1), u_2 = (1, -1)."""

import numpy as np

H = np.diag([0.9, 0.8])
U = np.array([[1.0, 1.0], [1.0, -1.0]])
found = sum(np.outer(H @ u, u) for u in U.T)
print(f"recovered {found[0, 0]}, {found[1, 1]}; H has {H[0, 0]}, {H[1, 1]}")
assert abs(found[0, 0] - H[0, 0]) > 0.8
