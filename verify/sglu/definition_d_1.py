"""Definition D.1 of sglu: the infimum over all shifted laws, found exactly on lattices."""

import math
from fractions import Fraction
from itertools import product

from simulators.exact import discrete
from simulators.exact.shifted import shifted_law
from verify.checks import NEAR_1, Check, Context, Findings

MOST_POINTS = 300  # of the lattice on a side: the taut string is in rational numbers


def measure(alpha: float, gap: float, z: float, v: float) -> float:
    """The infimum for Gaussians on a lattice whose step divides z and the gap's scale.

    The minimiser over all laws is a taut string between two obstacles; on a lattice of step h a
    Gaussian has the divergences of the continuous one up to exp(-2 pi^2 v/h^2).
    """
    scale = math.sqrt(v)
    cells = max(1, round(2 * z / scale))
    step = Fraction(z) / cells if z > 0 else Fraction(scale / 2)
    radius = math.ceil((alpha * gap + 8 * scale) / step)
    if not radius <= MOST_POINTS:
        raise ValueError(f"alpha gap must span at most {MOST_POINTS} points, got {radius}")
    points = [step * i for i in range(-radius, radius + 1)]
    laws = []
    for mean in (gap, 0.0):
        weights = [Fraction(math.exp(-((float(x) - mean) ** 2) / (2 * v))) for x in points]
        total = sum(weights, Fraction(0))
        laws.append([w / total for w in weights])
    best = shifted_law(points, laws[0], points, laws[1], Fraction(z))
    assert best is not None
    return discrete.renyi([float(w) for w in best], [float(w) for w in laws[1]], alpha)


def check(ctx: Context) -> Findings:
    """The shifted divergence of two Gaussians as the least over all shifted laws on a lattice."""
    for alpha, gap, z in product((1.5, 3.0), (1.0, 2.0), (0.0, 0.5, 1.75, 2.5)):
        inputs = {"alpha": alpha, "gap": gap, "z": z, "v": 1.0}
        instance = "shift at least the gap: zero"
        options = {"bound": 1e-9}
        if z < gap:
            instance = "Gaussians on a lattice, least over all shifted laws"
            options = {"relation": "==", "tolerance": 1e-8}
        yield ctx.compare("literal", "printed", measure(**inputs), inputs, instance, **options)


CHECKS = (Check("sglu.defd.1", evidence=check, exact_side=measure, limits={"literal": NEAR_1}),)
