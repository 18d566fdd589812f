"""hf, 'as T approaches infinity': steps eta q^t sum to eta/(1 - q), short of 0."""

from fractions import Fraction as F

eta, q, w = F(1, 2), F(1, 2), F(1)
for t in range(200):
    w *= 1 - eta * q**t
print(f"after 200 steps {float(w):.10f} of the distance is left; claimed limit: 0")
assert w > F(28, 100)
