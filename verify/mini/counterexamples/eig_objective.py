"""mu and L of the mean over two samples say nothing of a batch with one of them.

F_1 = x^2/2, F_2 = y^2/2: the mean has mu = L = 1/2; the batch {1} leaves y where it is.
"""

import numpy as np

eta = 1.0
hessians = [np.diag([1.0, 0.0]), np.diag([0.0, 1.0])]
spectrum = np.linalg.eigvalsh(sum(hessians) / 2)
mu, L = spectrum[0], spectrum[-1]
norm = np.abs(np.linalg.eigvalsh(np.eye(2) - eta * hessians[0])).max()
r = max(abs(1 - eta * mu), abs(1 - eta * L))
print(f"|H| = {norm}; r from the mean over all samples = {r}")
assert norm == 1.0 and r == 0.5
