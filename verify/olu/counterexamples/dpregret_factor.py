"""olu, Section 5: passive unlearning does not improve over DP by a factor of d.

f_t = |z - x_t|^2/2, x_4 a corner of [-R, R]^d and the others 0, 2 R sqrt(d) = L = 1, removed at
tau = 5, T = 100, d = 100, eps = 50. Exact regret of passive unlearning; bound of noisy descent.
"""

import math

T, u, tau, d, eps = 100, 4, 5, 100, 50.0
R = 1 / (2 * math.sqrt(d))
sigma = 1 / (tau - 1) / math.sqrt(2 * eps)
cdf = lambda x: math.erfc(-x / math.sqrt(2)) / 2
pdf = lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
m, second, passive = 0.0, 0.0, 0.0
for t in range(1, T + 1):
    if t == tau:
        a, b = (-R - m) / sigma, (R - m) / sigma
        low, high, mid = cdf(a), cdf(-b), cdf(b) - cdf(a)
        tilt = 2 * m * sigma * (pdf(a) - pdf(b)) + sigma**2 * (mid + a * pdf(a) - b * pdf(b))
        second = R * R * (low + high) + m * m * mid + tilt
        m = R * (high - low) + m * mid + sigma * (pdf(a) - pdf(b))
    p = R if t == u else 0.0
    best = 0.0 if t > tau else R / T
    passive += d * ((second - 2 * p * m + p * p) / 2 - (best - p) ** 2 / 2)
    c = 1 - 1 / t
    m, second = c * m + p / t, c * c * second + 2 * c * m * p / t + (p / t) ** 2
private = 0.5 * (1 + d / (2 * eps)) * sum(1 / t for t in range(1, T + 1))
print(f"noisy descent at most {private:.4f}, d x passive {d * passive:.4f}")
assert private < d * passive
