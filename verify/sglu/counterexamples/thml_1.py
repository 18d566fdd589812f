"""Theorem L.1 of sglu, removals below n/2: 99 of 100 points removed, noise by (74)."""

from math import ceil, erf, exp, log, sqrt

n, m, L, M, I, eps, delta = 100, 0.5, 1.0, 1.0, 5, 1.0, 1e-5
g = (L - m) / (L + m)
sigma = (
    4
    * sqrt(2)
    * M
    * g**I
    / (m * n * (1 - g**I) * (sqrt(log(1 / delta) + eps) - sqrt(log(1 / delta))))
)
data = [M / 2] + [-M / 2] * (n - 1)  # f(x; d) = m x^2/2 - d x, |f'| <= M for |x| <= M/(2m)
optimum = lambda points: sum(points) / len(points) / m
T = ceil(I + log(n / 2) / log(1 / g))
start = M / (2 * m)
model = optimum(data) + g**T * (start - optimum(data))
while len(data) > 1:
    data.pop()
    model = optimum(data) + g**I * (model - optimum(data))
retrained = optimum(data) + g**T * (start - optimum(data))
mu = abs(model - retrained) / sigma
Phi = lambda x: (1 + erf(x / sqrt(2))) / 2
true = Phi(mu / 2 - eps / mu) - exp(eps) * Phi(-mu / 2 - eps / mu)
print(f"delta({eps}) after the last removal: {true:.6f}; promised: {delta}")
assert true > delta
