"""The noise that hf's (41) asks for in its logistic regression, against the 0.1 used."""

from math import erf, exp, log, sqrt

eta, C, q, b, T, rho, delta = 0.05, 10.0, 0.995, 1000, 50, 1.0, 1e-5
bound = 2 * eta**2 * C / (1 - q) * sum(rho ** (T - 1 - k) * (q**k - q ** (2 * k)) for k in range(T))
bound += 2 * C * eta / b * sum(rho ** (T - 1 - e) * q**e for e in range(T))
needed = bound * sqrt(2 * log(1.25 / delta))
Phi = lambda x: (1 + erf(x / sqrt(2))) / 2
mu = bound / 100  # even noise 100 is too little
found = Phi(mu / 2 - 1 / mu) - exp(1) * Phi(-mu / 2 - 1 / mu)
print(f"(41) = {bound:.6f}; classical noise {needed:.4f}; used 0.1")
print(f"delta(1) with noise 100: {found:.6g}; promised {delta}")
assert needed > 0.1 and found > delta
