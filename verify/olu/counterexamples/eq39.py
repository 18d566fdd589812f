"""olu (39) with the step of its proof: f_t = D - z on K = [0, D], z_1 = 0.

d = k = L = 1, tau = 50, u = 1, kappa = 2L/D. The expectation over the one Gaussian is closed:
after the noise the position is clip(m + s Z, 0, D), and E (a - s Z)+ = a Phi(a/s) + s phi(a/s).
"""

from math import erf, exp, pi, sqrt

D, T, tau, eps, w = 1e4, 100, 50, 1e-6, 1.2
eta = sqrt(2 * D**2 / (T * (1 + w / (2 * (w**2 - 1) * eps))))
s = eta * sqrt(w / (2 * (w - 1) * eps))
plus = lambda a: a * (1 + erf(a / s / sqrt(2))) / 2 + s * exp(-a * a / s / s / 2) / sqrt(2 * pi)
m = (tau - 1) * eta
regret = sum(D - t * eta for t in range(tau - 1))
regret += sum(plus(D - j * eta - m) - plus(-m) for j in range(T - tau + 1))
bound = (D + sqrt(w / ((w**2 - 1) * eps)) / 2) * sqrt(2 * T)
print("eta", eta, "expected regret", regret, "claimed at most", bound)
assert regret > bound
