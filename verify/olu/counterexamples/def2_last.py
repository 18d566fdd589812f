"""Definition 2 of olu, k = 2: only i = 1 is asked for, the second deletion stays bare.

mu = L = 1, eta_t = 1/t, x_1 = x_2 = 1, else 0, w_1 = 0; u = 1, 2, tau = 4, 6. Noise is added at
tau_1 only, just enough for D_alpha = alpha eps there.
"""

from fractions import Fraction as F


def run(skipped, tau):
    w = F(0)
    for t in range(1, tau):
        w = w if t in skipped else w - F(1, t) * (w - (t <= 2))
    return w


eps = 1
first = run((), 4) - run((1,), 4)
second = run((), 6) - run((1, 2), 6)
variance = first**2 / (2 * eps)  # D_alpha = alpha first^2/(2 variance)
variance *= F(3, 5) ** 2  # the steps 4 and 5 contract by 3/4 and 4/5
divergence = second**2 / (2 * variance)
print(f"D_alpha after the second deletion: {float(divergence):.4f} alpha; promised: {eps} alpha")
assert divergence > eps
