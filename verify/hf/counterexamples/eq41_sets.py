"""(41) of hf for a set of m = 20 samples: all of n are forgotten, l = 50 w^2, C = 100.

eta = 1/200, q = .9, T = 4, w_0 = 1, whole batches; rho = max_t rho_t.
"""

from fractions import Fraction as F

n, h, C, q, T = 20, 100, 100, F(9, 10), 4
eta = F(1, 2 * h)
rho = max(abs(1 - eta * q**t * h) for t in range(T))
w, a = F(1), F(0)
for t in range(T):
    step = eta * q**t
    a = (1 - step * h) * a + step * h * w  # all n gradients, over n
    w -= step * h * w
error = abs(1 - w - a)  # v never moves
bound = 2 * eta**2 * C / (1 - q) * sum(rho ** (T - 1 - k) * (q**k - q ** (2 * k)) for k in range(T))
bound += 2 * C * eta / n * sum(rho ** (T - 1 - e) * q**e for e in range(T))
print(f"error {float(error):.6f}; (41): {float(bound):.6f}")
assert error > bound
