"""olu Algorithm 1: x_4 = 1 among zeros, (z - x_t)^2/2, eta_t = 1/t, until 14."""

from math import sqrt

eps, w, mu, beta, u, tau = 1.0, 1.2, 1.0, 3.0, 4, 14  # beta only has to be at least mu
gamma = (beta / mu - 1) / (beta / mu + 1)
sigma = sqrt(w / (2 * (w - 1) * eps)) * gamma ** (tau - u) / (mu * u)
with_it = without = 0.0
for t in range(1, tau):
    with_it -= (with_it - (t == u)) / t
    without -= 0.0 if t == u else without / t
ratio = (with_it - without) ** 2 / (2 * sigma**2) / eps
print(f"D_alpha/(alpha eps) = {ratio:.2f}; promised: at most 1")
assert ratio > 16000
