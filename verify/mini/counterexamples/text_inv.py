"""Compact L-BFGS of mini's Appendix B, one pair on the line: y = a s, a = 3.

B u = sigma u - [y, sigma s] [[-D, L^T], [L, sigma s s]]^{-1} [y u, sigma s u], D = s y, L = 0.
"""

from fractions import Fraction as F

s, y, u = F(2), F(6), F(1)
sigma = s * y / (s * s)
p = (y * u / (-s * y), sigma * s * u / (sigma * s * s))
product = sigma * u - (y * p[0] + sigma * s * p[1])
print(f"product {float(product)}; Hessian times u {float(y / s)}; inverse {float(s / y):.10f}")
assert product == y / s * u and product != s / y * u
