"""hf: |A^u_t| is not bounded by the drift of the models, with factor rho_t < r_t.

On a line, b = 1, eta = 1, Hessians in [1/2, 1]; batches u, r, u, x from w_0 = 0; U = {u, x}.
l_u: g = 1 + w/2. l_x: g = w. l_r: g(-1) = -1, Hessian 1/2 up to -1, 1 from -.98, linear between.
"""

from fractions import Fraction as F

half, width = F(1, 2), F(1, 50)


def g_r(w):
    s = min(max(w + 1, 0), width)
    return -1 + half * (w + 1) + half * s * s / (2 * width) + half * max(w + 1 - width, 0)


H_r = lambda w: half + half * min(max((w + 1) / width, 0), 1)
g = {"u": lambda w: 1 + w / 2, "r": g_r, "x": lambda w: w}
H = {"u": lambda w: half, "r": H_r, "x": lambda w: F(1)}


def path(gone, v=F(0)):
    for i in "urux":
        yield v
        v -= 0 if i in gone else g[i](v)


def approximator(gone, w=F(0), A=F(0)):
    for i in "urux":
        A = A + g[i](w) if i in gone else A - H[i](w) * A
        w -= g[i](w)
    return A


C = max(abs(g["u"](w)) for deletion in ("", "u") for w in path(deletion))
gap = abs(approximator("ux") - approximator("u") - approximator("x"))
d = C  # after u; then batch r: r = rho = 1/2; batch u: r = 1, rho = 1/2
d = half * (half * d) + C  # min(r, rho) = 1/2 at both
print(f"gap {float(gap):.6f}; by the models' drift at most M d = {float(d):.6f}")
assert gap > d
