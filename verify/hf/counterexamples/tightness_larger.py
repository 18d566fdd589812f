"""hf A.6: T rho^{T-1} + T rho^{T-B} is too small when rho < q; and no peak at q."""

from fractions import Fraction as F


def terms(rho, q, T):  # B = 1: both sums are the same
    return 2 * sum(rho ** (T - 1 - k) * q**k for k in range(T))


rho, q, T = F(1, 2), F(9, 10), 10
bound = 2 * T * rho ** (T - 1)
print(f"terms {float(terms(rho, q, T)):.10f}; printed bound {float(bound):.8f}")
peak, beyond = terms(q, q, T), terms(F(19, 20), q, T)
print(f"at rho = q: {float(peak):.6f}; at rho = .95: {float(beyond):.6f}")
assert terms(rho, q, T) > bound and beyond > peak
