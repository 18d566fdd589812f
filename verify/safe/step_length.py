"""gamma of safe: the same data in another unit must give the same step in that unit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Edit, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.toy_worlds import quadratics

CLAIM = Claim(
    id="safe.gamma",
    label="Learning rate of Theorem 2",
    kind="definition",
    statement="gamma = sqrt(W)/(K sqrt T), the length of SAFE's step; K is a constant.",
    readings=(
        Reading(
            "literal", "K has no unit; W and gamma have that of w", ("printed", "corrected"),
            edits={"printed": Edit("W in place of sqrt W", r"\sqrt{W}", "W")},
        ),
        Reading("unit", "W = 1", ("printed", "corrected")),
    ),
    natural=Natural(
        "W", tuple(np.geomspace(0.1, 100, 31).tolist()), {"K": 1.0, "T": 100}, log_x=True
    ),
    quantity="length of the step",
    correction="gamma = W/(K sqrt T).",
)  # fmt: skip

SCRIPT = '''"""SAFE's step on the same data in kilometres and in metres, gamma of Theorem 2."""
from math import isclose, sqrt
K, T = 1, 100
def move(data, W):
    w0 = sum(data) / len(data)
    kept = data[:-1]
    g = sum(w0 - x for x in kept) / len(kept)
    return abs(sqrt(W) / (K * sqrt(T)) * g / abs(g))
kilometres = [0.0, 0.25, 0.5, 1.0]
metres = [1000 * x for x in kilometres]
one, other = 1000 * move(kilometres, 1.0), move(metres, 1000.0)
print(f"in kilometres: {one:.6f} m; in metres: {other:.6f} m")
assert isclose(one, 100) and other < 4
'''


def measure(W: float, K: float, T: float) -> float:
    """The move of SAFE on four points of radius 1, expressed in the unit in which that is W."""
    world = quadratics((0.0, 0.25, 0.5, 1.0), (2, 2, 2, 1))
    w0 = float(world.star(0))
    g = float(world.mean_gradient(world.kept(1), world.star(0)))
    published = w0 - g / abs(g) / (K * T**0.5)
    return float(W * abs(published - w0))


def check(ctx: Context) -> Iterator[Evidence]:
    W = np.concatenate((np.geomspace(1e-3, 1e3, 9), [4.0, 9.0]))
    for K, T in ((1.0, 100), (2.5, 20), (8.0, 20), (0.01, 7)):
        inputs = {"W": W, "K": K, "T": T}
        yield from ctx.compare_forms(
            "literal", [measure(w, K, T) for w in W], inputs, "four points in another unit",
            relation="==", script=SCRIPT,
        )  # fmt: skip
        one = {"W": 1.0, "K": K, "T": T}
        yield from ctx.compare_forms(
            "unit", measure(**one), one, "four points of radius 1", relation="=="
        )
