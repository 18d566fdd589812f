"""hf after Theorem 4.3: rho < 1, and the error of a does not tend to 0.

n = 2, whole batches, l_u = (w - 1)^2/2, l_r = (w + 1)^2/2, w_0 = 0 (w stays there).
"""

from fractions import Fraction as F


def error(eta, q, T):
    v = a = F(0)
    for t in range(T):
        step = eta * q**t
        a = (1 - step) * a - step / 2
        v -= step / 2 * (v + 1)
    return abs(v - a)


half = F(1, 2)
constant = error(half, F(1), 200)
decaying = error(F(9, 10), half, 200)
print(f"T = 200: error {float(constant):.10f} (q = 1, rho = 1/2), limit claimed 0.0")
print(f"T = 200: error {float(decaying):.10f} (q = 1/2, rho = 1/10), limit claimed 0.0")
assert constant > F(49, 100) and decaying > F(17, 100)
