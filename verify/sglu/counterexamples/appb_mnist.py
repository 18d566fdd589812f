"""Appendix B of sglu on C_R, MNIST: n = 11264, m = 1e-6 n, R = 100, M = 1.

Across a diameter, 2R, m-strong convexity asks for gradients at least 2mR apart; 2M is allowed.
"""

from fractions import Fraction as F

m, R, M = F(11264, 10**6), 100, 1
at_least, at_most = 2 * m * R, 2 * M
print(f"gradients at both ends of a diameter differ by >= {float(at_least)} and <= {at_most}")
assert at_least > at_most
