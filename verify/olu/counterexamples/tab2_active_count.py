"""Table 2 of olu: gradient evaluations of one active deletion, counted, on the line.

mu = 1, beta = 3, D = L = k = 1: the steps that the table counts each need all retained losses.
"""

import math

tau, mu, beta = 100, 1.0, 3.0
printed = math.log(mu * tau) / math.log((beta + mu) / (beta - mu))
steps = math.ceil(printed)
evaluations, z = 0, 0.0
for _ in range(steps):
    total = 0.0
    for x in range(1, tau - 1):
        total += mu * (z - x / tau)
        evaluations += 1
    z -= 2 / (beta + mu) * total / (tau - 2)
print(f"active: {evaluations} evaluations, table: {printed:.3f}, a replay: {tau - 2}")
assert evaluations > printed and evaluations > tau - 2
