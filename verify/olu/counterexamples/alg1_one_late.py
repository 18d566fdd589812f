"""olu Algorithm 1, line 3: eta = 2/(beta + mu), beta = 2 mu, x_4 = 1 among zeros."""

from fractions import Fraction as F

mu, beta, u, tau, w = F(1), F(2), 4, 9, F(6, 5)
eta, gamma = 2 / (beta + mu), (beta - mu) / (beta + mu)
z = F(0)  # K = [0, 1], f_t = (mu/2)(z - x_t)^2, L = mu; retrained: 0
for t in range(1, tau):  # z_{t+1} is made from f_t
    z -= eta * mu * (z - (t == u))
sigma2 = w / (2 * (w - 1)) * (gamma ** (tau - u) * eta * mu) ** 2  # times 1/eps
print(f"D_alpha/(alpha eps) = {z**2 / (2 * sigma2)}; promised: at most 1")
assert z**2 / (2 * sigma2) == F(3, 2)
