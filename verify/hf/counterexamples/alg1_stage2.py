"""Algorithm 1 of hf, Stage II: epoch 0 is left out."""

from fractions import Fraction as F

eta = F(1, 10)
n = 10
T = 5
w = F(0)
a = F(0)
a_printed = F(0)
c_u, mean = F(1), F(1, 10)  # n quadratics (w - c_i)^2/2, full batches
for t in range(T):
    g = eta / n * (w - c_u)
    a = (1 - eta) * a + g
    a_printed = (1 - eta) * a_printed + (g if t else 0)
    w -= eta * (w - mean)
print(f"(8)-(9) followed: {float(a)}; as printed: {float(a_printed)}")
assert abs(a_printed - a) > F(1, 2000)
