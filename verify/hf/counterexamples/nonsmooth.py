"""hf without smoothness: l_r = |w|, l_u = -w, full batch, eta = 1, w_0 = 1/10."""

from fractions import Fraction as F

T, eta, K = 20, F(1), 10
w = v = F(1, 10)
a, apart = F(0), F(0)
sign = lambda x: (x > 0) - (x < 0)
for _ in range(T):
    a += eta / 2 * -1  # all Hessians are 0
    w, v = w - eta / 2 * (sign(w) - 1), v - eta / 2 * sign(v)
    apart = max(apart, abs(v - w))
print(f"error {abs(v - w - a)} after {T} steps; the runs were at most {apart} apart")
assert abs(v - w - a) >= K and apart <= F(1, 2)
