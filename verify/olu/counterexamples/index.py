"""Algorithm 1 of olu with its own code comment: the exponent tau - u is one too large.

K = [0, 2], mu = 1, beta = 2, eta = 2/3, gamma = 1/3; f_4 = (z - 1)^2, else z^2/2; z_1 = 0.
z_t = z_{t-1} - eta f_{t-1}'(z_{t-1}); f_4 is deleted at tau = 9; the other run skips it.
"""

from fractions import Fraction as F

mu, beta, u, tau, omega = 1, 2, 4, 9, F(6, 5)
eta, gamma, L = F(2, beta + mu), F(beta - mu, beta + mu), beta  # |f_4'| <= 2 on K


def run(skip):
    z = F(0)
    for t in range(2, tau + 1):
        z = (z if skip else z - eta * beta * (z - 1)) if t - 1 == u else z - eta * mu * z
        assert 0 <= z <= 2
    return z


apart = abs(run(False) - run(True))
printed = gamma ** (tau - u) * eta * L
divergence = (omega - 1) / omega * (apart / printed) ** 2  # of alpha eps, by line 5's sigma
print(f"distance {apart} = {float(apart):.6f}; gamma^(tau-u) Delta = {float(printed):.6f}")
print(f"D_alpha = {float(divergence)} alpha eps; promised: 1 alpha eps")
assert apart > printed and divergence > 1
