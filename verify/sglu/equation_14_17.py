"""(14)-(17) of sglu: contraction of gradient steps in and beyond the stated range of step sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from simulators.exact.maps import huber, logistic
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="sglu.eq14_17",
    label="(14)-(17)",
    kind="inequality",
    statement="Projection followed by a batch gradient step is (1 - eta m)-Lipschitz.",
    aliases=("sglu.eq14-17",),
    readings=(
        Reading(
            "literal",
            "eta <= 1/L",
            ("printed", "tight"),
            proofs={
                "printed": "Baillon-Haddad: the step's Jacobian lies in [1 - eta L, 1 - eta m]",
                "tight": "Baillon-Haddad; equality on quadratics",
            },
        ),
        Reading(
            "longer",
            "1/L < eta <= 2/(L + m)",
            ("printed", "tight"),
            proofs={
                "printed": "|1 - eta L| <= 1 - eta m there",
                "tight": "Baillon-Haddad; equality on quadratics",
            },
            stance="repair",
        ),
        Reading(
            "beyond",
            "2/(L + m) < eta < 2/L",
            ("printed", "tight"),
            proofs={"tight": "Baillon-Haddad; equality on quadratics"},
            stance="repair",
        ),
    ),
    natural=Natural(
        "eta", tuple(np.linspace(0.05, 1.95, 39).tolist()), {"m": 0.3, "L": 1.0}, log_y=False
    ),
    quantity="largest stretch of a pair of points",
)


def measure(eta: float, m: float, L: float) -> float:
    """Largest |psi(x) - psi(y)|/|x - y| over pairs, for the quadratic with curvatures m and L."""
    angle = np.linspace(0, math.pi, 721)
    apart = np.stack((np.cos(angle), np.sin(angle)), -1)
    moved = apart - eta * apart * np.array([m, L])
    return float(np.linalg.norm(moved, axis=-1).max())


def _nonlinear(rng: np.random.Generator, eta: float, m: float, L: float) -> float:
    """Largest slope of the projected mean step of three losses on the line."""
    losses = [
        logistic(2 * math.sqrt(L - m), 1.0, m),
        logistic(-math.sqrt(L - m), 1.0, m),
        logistic(0.7 * math.sqrt(L - m), -1.0, m),
    ]
    if L - m >= 1:
        losses.append(huber(float(rng.normal()), 0.5, m))
    x = np.linspace(-4, 4, 2001)
    inside = np.clip(x, -3, 3)
    moved = inside - eta * np.mean([g(inside) for g in losses], axis=0)
    return float(np.abs(np.diff(moved) / np.diff(x)).max())


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(30, 300)):
        L = float(rng.uniform(0.2, 3))
        m = float(L * rng.uniform(0.02, 0.9))
        edge = 2 / (L + m)
        for reading, low, high in (
            ("literal", 0.05 / L, 1 / L),
            ("longer", 1 / L, edge),
            ("beyond", edge, 2 / L),
        ):
            inputs = {"eta": float(low + (high - low) * rng.uniform(0.02, 0.98)), "m": m, "L": L}
            exact = measure(**inputs)
            if inputs["eta"] * m < 1:  # beyond, 1 - eta m is no factor at all
                yield ctx.compare(
                    reading, "printed", exact, inputs, "quadratics with curvatures m and L"
                )
            yield ctx.compare(
                reading, "tight", exact, inputs, "quadratics with curvatures m and L",
                relation="==",
            )  # fmt: skip
            yield ctx.compare(
                reading, "tight", _nonlinear(rng, **inputs), inputs,
                "means of logistic and Huber losses after projection", tolerance=1e-8,
            )  # fmt: skip
    stiff = {"eta": 0.95, "m": 0.5, "L": 2.0}
    yield ctx.compare(
        "beyond", "printed", measure(**stiff), stiff, "pairs along the stiff axis", script="eq14_17"
    )
