"""Algorithm 1 of hf, Stage I, on l = w^2/2: C = 1, eta = 1/2, w_0 = 1/10.

max(1, C/|g|) stretches every small gradient to norm C: the run steps over the minimum for ever.
"""

from fractions import Fraction as F

C, eta, w = F(1), F(1, 2), F(1, 10)
for t in range(6):
    g = w
    clipped = g * max(1, C / abs(g))
    print(f"w_{t} = {float(w)}: clipped gradient {float(abs(clipped))}, gradient {float(abs(g))}")
    w -= eta * clipped
g = F(5)
stays = abs(g * max(1, C / abs(g)))
print(f"|g| = 5 stays {stays}; claimed at most {C}")
assert stays > C and abs(w) == F(1, 10)
