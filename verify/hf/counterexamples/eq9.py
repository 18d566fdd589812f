"""(9) of hf: l_u = (w - 1)^2/2, l_r = (w + 1)^2/2, w_0 = 0, eta = 1/2."""

from fractions import Fraction as F

eta, w, v, a, A = F(1, 2), F(0), F(0), F(0), F(0)
for _ in range(2):
    a = (1 - eta / 2 * 2) * a + eta / 2 * (w - 1)
    A = (1 - eta / 2) * A + eta / 2 * (w - 1)
    w = w - eta / 2 * ((w - 1) + (w + 1))
    v = v - eta / 2 * (v + 1)
print(f"retrained - learned = {v - w}; (9) gives {a}; without the Hessian of u {A}")
assert A == v - w != a
