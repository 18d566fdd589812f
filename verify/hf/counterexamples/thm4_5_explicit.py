"""(60) and (16) of hf: all data at 0, w^2/2 on [-1, 1] from 1.

eta = .4, q = .5, m = 1, L = M = lam = C = d = eps = 1, delta = 1e-5, whole batches; the noise is
left out, as it only adds.
"""

from math import log, sqrt

eta, q, delta, rho = 0.4, 0.5, 1e-5, 0.6
for T, n in ((20, 1000), (60, 10**9)):
    w, a = 1.0, 0.0
    for t in range(T):
        step = eta * q**t
        a = (1 - step) * a + step / n * w
        w -= step * w
    excess = (w + a) ** 2 / 2
    zeta = sum(
        rho ** (T - 1 - k) * (q**k - q ** (2 * k)) + rho ** (T - 1 - k) * q**k for k in range(T)
    )
    drift = 2 * eta**2 / (1 - q) * zeta
    eq60 = 2 * rho**T + (sqrt(2 * log(1.25 / delta)) + 1) * drift + 4 / (n - 1)
    eq16 = 2 * rho**T + sqrt(log(1 / delta)) * drift + 4 / (n - 1)
    print(f"T = {T}, n = {n}: excess {excess:.5f}; (60) {eq60:.3e}; (16) without O {eq16:.3e}")
    assert excess > eq60 and excess > eq16
assert excess > 1e6 * eq16
