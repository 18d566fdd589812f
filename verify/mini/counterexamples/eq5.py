"""Eq (5) of mini on F = log cosh: the mean-value theorem has another Hessian."""

from math import cosh, tanh

w, other = 1.0, 0.0
left = tanh(other)
right = tanh(w) + (other - w) / cosh(w) ** 2
print(f"gradient at w*: {left:.10f}; right side of eq (5): {right:.10f}")
assert abs(left - right) > 0.3
