"""hf after Theorem 4.3, with the Hessian of the kept sample: still ln 2 - 1/2 away.

n = 2, whole batches, l_r = exp(w) - w, l_u = -w, w_0 = 0, eta = 1/2.
"""

from math import exp, log

eta, w, v, A = 0.5, 0.0, 0.0, 0.0
for _ in range(4000):
    A = A - eta / 2 * (exp(w) * A + 1)
    w = w - eta / 2 * (exp(w) - 2)
    v = v - eta / 2 * (exp(v) - 1)
error = abs(v - w - A)
print(f"T = 4000: error {error:.10f}; limit claimed 0.0; ln 2 - 1/2 = {log(2) - 0.5:.10f}")
assert error > 0.19
