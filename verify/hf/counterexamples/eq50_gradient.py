"""(50) of hf for a batch of one of (w -+ 1)^2/2, both minimised by 0."""

at_minimiser = [0 - 1, 0 + 1]
w = 0.5
gradient, integral = w - 1, 1 * (w - 0)
print(f"gradients at w^: {at_minimiser}; at {w}: {gradient}; Hessian times way: {integral}")
assert gradient != integral
