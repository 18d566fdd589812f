"""Definition 2.3 of sglu with "any alpha > 1": (2, eps)-RU fails at alpha = 16, exact.

f(x; d) = x^2/20 - d x, |d| <= 1 = M, eta = 4/5 <= 1/L = 10, sigma = 3/10, n = 6, b = 2: in the last
batch D has a point d = 1 for which D' has d = -1, all others are 0. Four epochs on D and two on
D', against six on D', from 0. Every law is Gaussian.
"""

from fractions import Fraction as F

eta, m, sigma, b = F(4, 5), F(1, 10), F(3, 10), 2
c, s2 = 1 - eta * m, 2 * eta * sigma**2


def run(points):
    mean, var = F(0), F(0)
    for d in points:
        for shift in (0, 0, d):
            mean, var = c * mean + eta * shift / b, c * c * var + s2
    return mean, var


x, var = run([1] * 4 + [-1] * 2)
y, same = run([-1] * 6)
assert var == same
renyi = lambda alpha: alpha * (x - y) ** 2 / (2 * var)
eps = renyi(2)
print(f"alpha = 2: eps = {float(eps):.6f}; alpha = 16: {float(renyi(16)):.6f}")
assert renyi(16) > eps
