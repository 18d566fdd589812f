"""(15) of hf in other units: l_u = a(w-1)^2/2, l_r = a(w+1)^2/2, eta = 1/(2a).

n = 2, whole batches, w_0 = 0, q = 1/2, T = 2; rho = max_t rho_t = 3/4; |g_u| <= 2a = C.
The error is 1/32 for every a and (15) goes to 0, so that no number K can stand for O().
"""

from fractions import Fraction as F


def both(a):
    eta = F(1, 2 * a)
    q = F(1, 2)
    rho = F(3, 4)
    C = 2 * a
    T = 2
    v = A = F(0)
    for t in range(T):
        step = eta * q**t
        A = (1 - step * a) * A - step * a / 2
        v -= step / 2 * a * (v + 1)
    zeta = (
        (rho**T - q**T) / (rho - q)
        - (rho**T - q ** (2 * T)) / (rho - q * q)
        + (rho**T - q**T) / (rho - q)
    )
    return abs(v - A), 2 * eta**2 * C / (1 - q) * zeta


for a in (1000, 10**6):
    error, bound = both(a)
    print(f"a = {a}: error {float(error)}; (15) with factor 1: {float(bound):.3e}")
assert error > 1000 * bound
