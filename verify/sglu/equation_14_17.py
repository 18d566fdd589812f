"""(14)-(17) of sglu: contraction of gradient steps in and beyond the stated range of step sizes."""

import math

import numpy as np

from simulators.exact.maps import huber, logistic
from verify.checks import Check, Context, Findings, Limit


def measure(eta: float, m: float, L: float) -> float:
    """Largest |psi(x) - psi(y)|/|x - y| over pairs, for the quadratic with curvatures m and L."""
    angle = np.linspace(0, math.pi, 721)
    apart = np.stack((np.cos(angle), np.sin(angle)), -1)
    images = apart - eta * apart * np.array([m, L])
    return float(np.linalg.norm(images, axis=-1).max())


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
    images = inside - eta * np.mean([g(inside) for g in losses], axis=0)
    return float(np.abs(np.diff(images) / np.diff(x)).max())


def check(ctx: Context) -> Findings:
    """Steepest chord of a step on quadratics and on means of logistic and Huber losses.

    Step sizes up to 1/L, up to 2/(L + m), and beyond it up to 2/L.
    """
    rng = ctx.rng(1)
    instance = "means of logistic and Huber losses after projection"
    for _ in range(ctx.pick(30, 300)):
        L = float(rng.uniform(0.2, 3))
        m = float(L * rng.uniform(0.02, 0.9))
        edge = 2 / (L + m)
        ranges = {"literal": (0.05 / L, 1 / L), "longer": (1 / L, edge), "beyond": (edge, 2 / L)}
        for interpretation, (low, high) in ranges.items():
            at = {"eta": float(low + (high - low) * rng.uniform(0.02, 0.98)), "m": m, "L": L}
            exact = measure(**at)
            options = {"relation": "=="}
            yield ctx.compare(interpretation, "tight", exact, at, QUADRATICS, **options)
            if at["eta"] * m < 1:  # beyond, 1 - eta m is no factor at all
                yield ctx.compare(interpretation, "printed", exact, at, QUADRATICS)
            slope = _nonlinear(rng, **at)
            yield ctx.compare(interpretation, "tight", slope, at, instance, tolerance=1e-8)
    stiff = {"eta": 0.95, "m": 0.5, "L": 2.0}
    instance = "pairs along the stiff axis"
    yield ctx.compare("beyond", "printed", measure(**stiff), stiff, instance, script="eq14_17")


QUADRATICS = "quadratics with curvatures m and L"
LIMIT = Limit("1 less rounded products", size=lambda p: 1.0)
LIMITS = dict.fromkeys(("literal", "longer", "beyond"), LIMIT)
SDP = "verify.sglu.worst_cases:steps"
CHECKS = (
    Check("sglu.eq14_17", check, measure, limits=LIMITS, worst_cases=SDP).measured_by(
        "langevin", "expansion"
    ),
)
