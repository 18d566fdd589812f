"""(15) of hf for many steps, rho = rho(eta_0) = 1/10: eta = .9, q = 1/2, C = 2, n = 2.

l_u = (w - 1)^2/2, l_r = (w + 1)^2/2, whole batches, w_0 = 0: the error tends to .1796, (15) to 0.
"""

from fractions import Fraction as F

eta, q, C, T = F(9, 10), F(1, 2), 2, 200
rho, v, a = abs(1 - eta), F(0), F(0)
for t in range(T):
    step = eta * q**t
    a = (1 - step) * a - step / 2
    v -= step / 2 * (v + 1)
visits = (rho**T - q**T) / (rho - q)
zeta = visits - (rho**T - q ** (2 * T)) / (rho - q * q) + visits
bound = 2 * eta**2 * C / (1 - q) * zeta
print(f"error {float(abs(v - a)):.6f}; (15) with factor 1: {float(bound):.3e}")
assert abs(v - a) > 10**30 * bound
