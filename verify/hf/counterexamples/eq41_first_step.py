"""(41) of hf with rho taken at eta_0: n = 2, whole batches, eta = .9, q = 1/2.

l_u = (w - 1)^2/2, l_r = (w + 1)^2/2, w_0 = 0: w stays at 0, v goes towards -1, |g_u| <= 2 = C.
"""

from fractions import Fraction as F

eta, q, C, b, T = F(9, 10), F(1, 2), 2, 2, 20
rho = abs(1 - eta)
v = a = F(0)
for t in range(T):
    step = eta * q**t
    a = (1 - step) * a - step / b  # g_u(w_t) = -1; the Hessian of the batch is 1
    v -= step / b * (v + 1)
error = abs(v - a)
bound = 2 * eta**2 * C / (1 - q) * sum(rho ** (T - 1 - k) * (q**k - q ** (2 * k)) for k in range(T))
bound += 2 * C * eta / b * sum(rho ** (T - 1 - e) * q**e for e in range(T))
print(f"error {float(error):.6f}; (41): {float(bound):.3e}")
assert error > bound
