"""Appendix B of mini with SGD's stored gradients: the secant has the wrong sign.

F = (w - x)^2/2, curvature 1; batches {0}, {-2}; w_0 = 1, eta = 1/2, one sample each, none gone.
"""

from fractions import Fraction as F

eta, w0 = F(1, 2), F(1)
g0 = w0 - 0
w1 = w0 - eta * g0
g1 = w1 + 2
secant = (g1 - g0) / (w1 - w0)
print(f"curvature: 1; secant of the stored gradients: {float(secant)}")
print(f"H u: {float(1 - eta)}; from the stored gradients: {float(1 - eta * secant)}")
assert secant == -3 and abs(1 - eta * secant) > 1
