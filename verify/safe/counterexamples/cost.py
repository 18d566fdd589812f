"""safe, Algorithm 1: gradients in round t where one sample leaves in each."""

from math import exp, log
from random import Random

draw = Random(0)
data = [draw.gauss(0, 1) for _ in range(400)]
f = lambda x: 1 / (1 + exp(-0.3 * x))  # f(x; w_0)
slope = lambda x, q: (log(f(x) / (1 - f(x))) - log(q)) * f(x) * (1 - f(x)) * x
K, gone, evaluated = 50, [], 0
for t in range(1, 201):
    gone.append(data[t])
    q = (400 - t) / 400  # the target moves in every round
    evaluated = 1 + len([slope(x, q) for x in gone])  # (15): one; (26): all that has left
print(f"round 200: {evaluated} gradients, {len(gone)} samples at hand; K |F_t| = {K}")
assert evaluated > K and len(gone) > K
