"""Algorithm 6 of sglu misses its target: n = b = 100 quadratics, 100 requests."""

from math import erf, exp, sqrt

eta, m, M, b, sigma, target, delta, K = 1.0, 0.01, 1.0, 100, 9.7031, 1.0, 1e-5, 2
c, s = 1 - eta * m, sqrt(2 * eta) * sigma  # K = 2 is what the algorithm returns every time
mean, optimum = 0.0, 0.0  # published law and retrained law: same variance
for _ in range(100):
    optimum -= 2 * M / (b * m)  # one point's data moves from M to -M
    for _ in range(K):
        mean = c * mean + (1 - c) * optimum
mu = abs(mean - optimum) * sqrt(1 - c * c) / s
Phi = lambda x: (1 + erf(x / sqrt(2))) / 2
true = Phi(mu / 2 - target / mu) - exp(target) * Phi(-mu / 2 - target / mu)
print(f"delta({target}) after request 100: {true:.9f}; promised: {delta}")
assert true > delta
