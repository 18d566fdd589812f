"""Eq (6) of mini: one kept sample 1, one forgotten 3, F = (w - x)^2/2, w_0 = 0."""

from fractions import Fraction as F

eta, B, w = F(1, 2), 2, F(0)
kept, gone = [F(1)], [F(3)]
learned = w - eta * sum(w - x for x in kept + gone) / B
retrained = w - eta * sum(w - x for x in kept) / len(kept)
gamma = F(-len(gone), B)
printed = eta / B * gamma / (1 + gamma) * sum(w - x for x in kept)
printed -= eta / B * sum(w - x for x in gone)  # Dw_0 = 0
print(f"true Dw_1 = {float(retrained - learned)}; eq (6) gives {float(printed)}")
assert retrained - learned == F(-1, 2) and printed == 1
