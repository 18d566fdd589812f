"""(14)-(17) of sglu: the projected mini-batch step on pairs of points, and where it stops."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.pairs import losses, onto_ball, points

CLAIM = Claim(
    id="sglu.eq14_17",
    label="(14)-(17)",
    kind="inequality",
    aliases=("sglu.eq14-17",),
    statement="The mini-batch gradient step at the projected point is (1 - eta m)-Lipschitz.",
    readings=(
        Reading(
            "literal",
            "m-strongly convex, L-smooth losses, eta <= 1/L",
            ("printed", "tight"),
            proofs={
                "printed": "Baillon-Haddad for f - (m/2)|x|^2; the projection is 1-Lipschitz",
                "tight": "the same; equality for quadratics",
            },
        ),
        Reading(
            "longer",
            "1/L < eta <= 2/(L + m)",
            ("printed", "tight"),
            proofs={
                "printed": "there 1 - eta m >= |1 - eta L|",
                "tight": "the same; equality for quadratics",
            },
        ),
        Reading(
            "beyond",
            "2/(L + m) < eta < 2/L",
            ("printed", "tight"),
            proofs={"tight": "Baillon-Haddad; equality for quadratics"},
        ),
    ),
    natural=Natural(
        "eta",
        tuple(np.linspace(0.02, 0.98, 49).tolist()),
        {"m": 0.5, "L": 2.0, "D": 1.0},
        log_y=False,
    ),
    quantity="largest distance after a step",
)

NAMES = tuple(reading.name for reading in CLAIM.readings)

SCRIPT = '''"""(17) of sglu fails for eta > 2/(L + m): f = (x^2 + 4 y^2)/4, eta = 19/20."""
from fractions import Fraction as F
eta, m, L = F(19, 20), F(1, 2), F(2)
left, right = abs(1 - eta * L), 1 - eta * m      # two points at distance 1 along the stiff axis
print(f"distance after the step {left}, (1 - eta m) = {right}")
assert eta < 2 / L and left > right
'''


def measure(eta: float, m: float, L: float, D: float) -> float:
    """Distance after a step on (m x^2 + L y^2)/2, over pairs D apart in every direction."""
    angles = np.linspace(0, np.pi, 181)
    pairs = D * np.stack((np.cos(angles), np.sin(angles)))
    after = pairs - eta * np.array([[m], [L]]) * pairs
    return float(np.linalg.norm(after, axis=0).max())


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 200)):
        for loss in losses(rng):
            limits = (0.0, 1 / loss.L, 2 / (loss.L + loss.m), 2 / loss.L)
            for name, (low, high) in zip(NAMES, pairwise(limits), strict=True):
                eta = low + float(rng.uniform(0.02, 0.98)) * (high - low)
                x, y = points(rng, 200)
                batch = rng.choice([1.0, -1.0], size=3)
                after = [
                    p - eta * np.mean([loss.gradient(p, d) for d in batch], axis=0)
                    for p in (onto_ball(x, 4.0), onto_ball(y, 4.0))
                ]
                moved = np.linalg.norm(after[0] - after[1], axis=1)
                inputs = {"eta": eta, "m": loss.m, "L": loss.L}
                distance = {**inputs, "D": np.linalg.norm(x - y, axis=1)}
                for form in ("tight",) if name == "beyond" else ("printed", "tight"):
                    yield ctx.compare(
                        name, form, moved, distance,
                        f"{loss.name} losses, three in a batch, random pairs", tolerance=1e-8,
                    )  # fmt: skip
                    yield ctx.compare(
                        name, form, measure(**inputs, D=1.0), {**inputs, "D": 1.0},
                        "quadratic with curvatures m and L", relation="==",
                    )  # fmt: skip
    stiff = {"eta": 0.95, "m": 0.5, "L": 2.0, "D": 1.0}
    yield ctx.compare(
        "beyond", "printed", measure(**stiff), stiff, "pairs along the stiff axis", script=SCRIPT
    )
