"""(17) of hf against retraining: (w - z)^2/2, z = +-1, w_0 = 0, T = 2."""

from fractions import Fraction as F

z, eta, T, w, v = [F(1), F(-1)], F(1, 2), 2, F(0), F(0)
for _ in range(T):
    w -= eta / 2 * ((w - z[0]) + (w - z[1]))
    v -= eta / 2 * (v - z[1])
step = w - z[0]  # H_{S-U} = 1
print(f"a_NS = {step}; v_T - w_T = {v - w}")
assert step != v - w
