"""Theorem 6 of olu: its noise is too small, without bound in I_2. Exact fractions.

d = 1, K = [0, 1], f_t = (z - x_t)^2/2, x_4 = 1, else 0, mu = 1, beta = 3 declared, gamma = 1/2,
L = D = 1, tau = 40, omega = 6/5, I_1 = 6 >= log_2(40), I_2 = 20 >= 0. Steps 1/(beta + mu).
"""

from fractions import Fraction as F

mu = F(1)
beta = F(3)
L = F(1)
u = 4
tau = 40
omega = F(6, 5)
I1 = 6
I2 = 20
gamma, eta = (beta - mu) / (beta + mu), 1 / (beta + mu)


def run(points):  # those not skipped: (round, x_t)
    z = F(0)
    for t, x in points:
        z -= (z - x) / t  # online descent, step 1/(mu t)
    return z


def phase(z, points, steps):  # on the average loss
    for _ in range(steps):
        z -= eta * mu * (z - sum(x for _, x in points) / F(len(points)))
    return z


all_ = [(t, F(t == u)) for t in range(1, tau + 1)]
kept = [p for p in all_ if p[0] != u]
learned = phase(phase(run(all_), all_, I1), kept, I2)
retrained = phase(run(kept), kept, I1 + I2)
variance_times_epsilon = (
    (gamma**I2 * L * (6 + L * gamma ** (tau - u) / (mu * u)) / (tau * mu)) ** 2
    * omega
    / (2 * (omega - 1))
)
ratio = (learned - retrained) ** 2 / (2 * variance_times_epsilon)
print(f"D_alpha = {float(ratio):.1f} times alpha eps, promised at most 1")
assert ratio > 50000
