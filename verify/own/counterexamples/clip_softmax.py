"""A clipped step of softmax expands: no Lipschitz constant 1 for losses of several predictions.

One row x = 1, three classes, weights (0, 0, 2), label 1, C = 1, eta = 1/100, no weight decay. The
gradient has length 1.195 and is clipped; the loss is convex, and its gradient 1/2-Lipschitz.
"""

from math import exp, hypot


def step(w, eta=0.01, C=1.0):
    p = [exp(x) for x in w]
    g = [x / sum(p) - (k == 1) for k, x in enumerate(p)]
    length = hypot(*g)
    assert length > C
    return [x - eta * min(1, C / length) * y for x, y in zip(w, g, strict=True)]


u = [0.254, -0.799, 0.545]
one, two = ([x + t * y for x, y in zip((0, 0, 2), u, strict=True)] for t in (1e-3, -1e-3))
before, after = (
    hypot(*(x - y for x, y in zip(*pair, strict=True)))
    for pair in ((one, two), (step(one), step(two)))
)
print(f"the step takes points 1 apart to {after / before:.9f}; promised: at most 1")
assert after > before
