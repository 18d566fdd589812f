"""hf at convergence: l_u = (w - 1)^2/2 goes, l_r = (w + 1)^2/2 stays."""

w = v = a = 0.0
for _ in range(2000):
    a += -0.5 * a - 0.25 * (w - 1) * -1  # the batch's Hessian is 1, b = 2
    w, v = w - 0.25 * ((w - 1) + (w + 1)), v - 0.25 * (v + 1)
newton = (w - 1) / 1.0  # H_kept^{-1} g_u
print(f"error of the recursion {abs(v - w - a):.6f}, of NS {abs(v - w - newton):.6f}")
assert abs(v - w - a) > 0.1 > abs(v - w - newton)
