"""After Theorem 4 of olu: many deletions on losses z + 1/2, K = [0, 1], D = L = beta = d = 1.

They are >= 0 and 1-smooth on R: |y|^2/2 for |y| <= 1, |y| - 1/2 beyond, y = z + 1. p(t) = t, so
that u_0 = 1 will do, eta_t = 1/sqrt(t), and 0 is best throughout. Line 5's noise with omega = 1.2
and epsilon = 1/100; losses 1..100 are deleted from round T/4 on.
"""

from math import erfc, sqrt

T, k, gap, omega, epsilon = 10**6, 100, 1000, 1.2, 0.01
regret = squares = 0.0
for i in range(1, k + 1):
    tau = T // 4 + gap * i
    squares += tau / i**2
    sigma = sqrt(omega / (2 * (omega - 1) * epsilon)) * i ** (omega / 2) / sqrt(i)
    # From 0, less a step, the noise reaches 1 or beyond; what it does otherwise costs >= 0.
    beyond = erfc((1 + 1 / sqrt(tau - 1)) / (sigma * sqrt(2))) / 2
    z, cost, t = 1.0, 0.0, tau
    while z > 0:
        cost += z
        z -= 1 / sqrt(t)
        t += 1
    assert t < tau + gap  # back at 0 before the next deletion
    regret += beyond * cost

factor, regret = sqrt(squares / T), regret / sqrt(T)
print(f"G_3 is {factor:.3f} sqrt T; regret is at least {regret:.2f} sqrt T, k = {k}")
assert factor <= 1
assert regret > 10
