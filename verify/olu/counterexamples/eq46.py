"""(46) of olu leaves out the round T. f_t = (z - x_t)^2/2 on [-1, 1], mu = 1, L <= 2.

x = (0, 0, 1, 0, -1), z_1 = 0, steps 1/t: a running mean. Request at tau = 3 deletes round 1: the
average of the losses kept has its minimiser at z_3 = 0; the noise drawn is 0. z* = 0, T = 5.
"""

from fractions import Fraction as F

x, tau, T, L = [F(0), F(0), F(1), F(0), F(-1)], 3, 5, 2
z = [F(0)]
for t in range(1, T):
    z.append(z[-1] - (z[-1] - x[t - 1]) / t)
star = sum(x) / T
loss = lambda t, w: (w - x[t - 1]) ** 2 / 2
regret = sum(loss(t, z[t - 1]) - loss(t, star) for t in range(1, T + 1))
A = sum(
    (z[t - 1] - x[t - 1]) * (z[t - 1] - star) - (z[t - 1] - star) ** 2 / 2
    for t in range(1, T)
    if t != tau
)
B = L * abs(z[tau - 1] - star)
print(f"regret {regret}, A + B = {A + B}")
assert regret > A + B
