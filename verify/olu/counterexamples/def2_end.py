"""Definition 2 of olu with i = 1..k and tau_{k+1} = T of (5): the output at T stays bare.

mu = L = 1, eta_t = 1/t, x_1 = x_2 = 1, else 0, w_1 = 0; u = 1, 2, tau = 4, 6, T = 8. The last
window ends at T - 1 = 7, so that the iterate without any noise may come out at T.
"""

from fractions import Fraction as F


def run(skipped, t):
    w = F(0)
    for s in range(1, t):
        w = w if s in skipped else w - F(1, s) * (w - (s <= 2))
    return w


T, tau = 8, (4, 6)
asked = range(tau[-1], T)  # tau_k to tau_{k+1} - 1
model, retrained = run((), T), run((1, 2), T)
print(f"asked for t = {asked[0]} to {asked[-1]}; at T = {T}, no noise: {model} against {retrained}")
assert T not in asked
assert model != retrained  # two points: D_alpha is infinite
