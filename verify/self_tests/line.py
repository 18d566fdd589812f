"""Projected mixtures on the line: quadrature of sums of densities, quantiles by bisection."""

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from scipy.special import logsumexp, ndtr

from simulators.exact import line_divergence, line_winf
from simulators.exact.line import LineLaw
from simulators.exact.powers import renyi_of_logs
from simulators.exact.quadrature import graded_panels, legendre, panels
from verify.self_tests import Equality

_HALF_LOG_2PI = math.log(2 * math.pi) / 2
_THREE = LineLaw(
    np.array([0.2, 0.5, 0.3]), np.array([-0.7, 0.1, 0.6]), np.array([0.3, 0.4, 0.25]), 1.0
)
_TWO = LineLaw(np.array([0.6, 0.4]), np.array([-0.2, 0.8]), np.array([0.35, 0.3]), 1.0)
_NEEDLES = LineLaw(
    np.array([0.5, 0.3, 0.2]), np.array([-0.6, 0.3, 0.99]), np.array([0.04, 0.5, 0.03]), 1.0
)
_INSIDE = LineLaw(np.array([0.9, 0.1]), np.array([0.1, 0.2]), np.array([0.5, 0.02]), 1.0)
_AWAY = LineLaw(np.ones(1), np.array([3.0]), np.ones(1), 1.0)


def equalities() -> Iterator[Equality]:
    """Quadrature, laws, divergences, distances."""
    yield from _quadrature()
    yield from _powers()
    yield from _laws()
    for radius in (0.8, math.inf):
        p, q = (LineLaw(law.weights, law.means, law.scales, radius) for law in (_THREE, _TWO))
        yield from _divergences(p, q)
        yield from _divergences(q, p)
    yield from _divergences(_NEEDLES, _TWO)
    yield from _divergences(_TWO, _NEEDLES)
    yield from _divergences(_INSIDE, _AWAY)
    yield from _far()
    yield from _distances()


def _quadrature() -> Iterator[Equality]:
    """Nodes and weights on polynomials, panels, and singular ends."""
    nodes, weights = legendre(7)
    # Seven nodes are exact up to degree 13.
    powers = nodes ** np.arange(14)[:, None] @ weights
    yield Equality("legendre(7)", powers, [2 / (k + 1) if k % 2 == 0 else 0 for k in range(14)])
    x, w = panels(np.array([-1.0, 0.5, 2.0]), 4)
    yield Equality(
        "panels",
        x ** np.arange(8)[:, None] @ w,
        [(2.0 ** (k + 1) - (-1.0) ** (k + 1)) / (k + 1) for k in range(8)],
    )
    yield Equality("panels, between", (x > 0.5).sum(), 4)
    x, w, gaps = graded_panels(-1.0, 3.0, longest=0.3)
    yield Equality(
        "graded_panels",
        [w.sum(), w @ x**2, w @ np.cos(9 * x)],
        [4.0, 28 / 3, (math.sin(27.0) + math.sin(9.0)) / 9],
    )
    # 1/sqrt(x) at both ends: the grading towards them is what makes its integral accurate.
    yield Equality(
        "graded_panels at the ends", w[gaps > 0] @ gaps[gaps > 0] ** -0.5, 2 * math.sqrt(2), 1e-7
    )
    yield Equality("graded_panels, distances", np.where(gaps > 0, gaps - 1, 3 + gaps), x)
    # 20 nodes on each of 50 halvings of 2 and their shares of it, none longer than 0.3
    pieces = sum(max(1, math.ceil(2 * 2.0**-k / 2 / 0.3)) for k in range(50)) + 1
    yield Equality("graded_panels, count", x.size, 2 * 20 * pieces)


def _powers() -> Iterator[Equality]:
    """Rényi divergences from logarithms: near laws, rare points, known closed forms."""
    p, q = np.array([0.2, 0.5, 0.3]), np.array([0.25, 0.35, 0.4])
    for other, alpha, expected in (
        (q, 1.0, float(p @ np.log(p / q))),
        (q, 3.0, math.log(p**3 @ q**-2.0) / 2),
        (q, 30.0, math.log(p**30 @ q**-29.0) / 29),
    ):
        divergence = renyi_of_logs(np.log(p), np.log(p / other), alpha)
        yield Equality(f"renyi_of_logs at {alpha}", divergence, expected, 1e-9)
    # Laws 2^-20 apart: D_2 is about their chi-square distance, what much cancellation leaves.
    near = np.array([0.2 + 2.0**-20, 0.5, 0.3 - 2.0**-20])
    divergence = renyi_of_logs(np.log(p), np.log(p / near), 2.0)
    yield Equality(
        "renyi_of_logs of near laws", divergence, float((near - p) ** 2 @ (1 / near)), 1e-4
    )
    rare = np.array([1 - 1e-4, 1e-4])
    rarer = np.array([1 - 1e-9, 1e-9])
    expected = math.log(math.fsum(rare**1.3 * rarer**-0.3)) / 0.3
    yield Equality(
        "renyi_of_logs of rare points",
        renyi_of_logs(np.log(rare), np.log(rare / rarer), 1.3),
        expected,
    )


def _log(law: LineLaw, x: Any) -> Any:
    """log density of a mixture."""
    z = (np.asarray(x)[..., None] - law.means) / law.scales
    # The nearest component's exponent taken out: far out all others underflow.
    nearest = (z * z).min(axis=-1, keepdims=True)
    sums = np.exp((nearest - z * z) / 2) @ (law.weights / law.scales)
    return np.log(sums) - nearest[..., 0] / 2 - _HALF_LOG_2PI


def _below(law: LineLaw, x: Any) -> Any:
    return ndtr((np.asarray(x)[..., None] - law.means) / law.scales) @ law.weights


def _above(law: LineLaw, x: Any) -> Any:
    return ndtr((law.means - np.asarray(x)[..., None]) / law.scales) @ law.weights


def _atoms(law: LineLaw) -> list[float]:
    if law.radius == math.inf:
        return []
    return [float(_below(law, -law.radius)), float(_above(law, law.radius))]


def _laws() -> Iterator[Equality]:
    """Densities, tails, atoms and cdf of projected mixtures, component by component."""
    x = np.linspace(-0.9, 0.9, 7)
    for law in (_THREE, _TWO):
        yield Equality("LineLaw.log_density", np.exp(law.log_density(x)), np.exp(_log(law, x)))
        yield Equality("LineLaw.log_below", np.exp(law.log_below(x)), _below(law, x))
        yield Equality("LineLaw.log_above", np.exp(law.log_above(x)), _above(law, x))
        yield Equality("LineLaw.log_atoms", np.exp(law.log_atoms()), _atoms(law))
        yield Equality("LineLaw.cdf", law.cdf([-1.5, -1.0, 0.2, 0.99, 1.0, 3.0]),
                       [0, _below(law, -1), _below(law, 0.2), _below(law, 0.99), 1, 1])  # fmt: skip
        free = law.unprojected()
        yield Equality("LineLaw.unprojected", np.exp(free.log_density(2.0)), np.exp(_log(law, 2.0)))
        yield Equality("its atoms", free.log_atoms(), [])
    long = np.linspace(-4.0, 4.0, 1200).reshape(3, 400)  # more than one block of memory
    wide = LineLaw(np.full(2000, 1 / 2000), np.linspace(-1, 1, 2000), np.array(0.5))
    log_densities = wide.log_density(long)[:, ::57]
    yield Equality("LineLaw.log_density in blocks", log_densities, _log(wide, long[:, ::57]))
    far = _THREE.log_density(np.array([40.0]))[0]
    yield Equality("LineLaw.log_density far out", far, _log(_THREE, 40.0))


def _divergences(p: LineLaw, q: LineLaw) -> Iterator[Equality]:
    """Divergences of two mixtures against sums on a fine grid."""
    where = f"on radius {p.radius}"
    for alpha in (1.0, 1.7, 4.0):
        divergence = line_divergence.renyi(p, q, alpha)
        yield Equality(f"renyi at {alpha} {where}", divergence, _renyi(p, q, alpha), 1e-10)
    for epsilon in (0.0, 0.4, 1.2):
        expected = _hockey_stick(p, q, epsilon)
        divergence = line_divergence.hockey_stick(p, q, epsilon)
        yield Equality(f"hockey_stick at {epsilon} {where}", divergence, expected, 1e-11)
        if epsilon == 0:
            yield Equality("total_variation", line_divergence.total_variation(p, q), expected)


def _renyi(p: LineLaw, q: LineLaw, alpha: float) -> float:
    """One rule of Gauss on the interval; on the line the trapezoidal rule, as exact there."""
    if p.radius < math.inf:
        nodes, weights = _gauss()
        x, logs = nodes * p.radius, np.log(weights * p.radius)
    # On the whole line the tails decide: the divergence is infinite where p's are too heavy for q.
    elif alpha / p.scales.max() ** 2 <= (alpha - 1) / q.scales.max() ** 2:
        return math.inf
    else:
        x = np.linspace(-60.0, 60.0, 12001)
        logs = np.log(x[1] - x[0])
    # Atoms at the ends add their masses; their ratios are those of the atoms.
    ends = [np.log(_atoms(law)) for law in (p, q)]
    masses = np.concatenate((_log(p, x) + logs, ends[0]))
    ratios = np.concatenate((_log(p, x) - _log(q, x), ends[0] - ends[1]))
    if alpha == 1:
        return float(np.exp(masses) @ ratios)
    return float(logsumexp(masses + (alpha - 1) * ratios)) / (alpha - 1)


@cache
def _gauss() -> Any:
    return np.polynomial.legendre.leggauss(300)


def _hockey_stick(p: LineLaw, q: LineLaw, epsilon: float) -> float:
    """By differences of distribution functions between the crossings of the densities."""
    end, factor = min(p.radius, 6.0), math.exp(epsilon)

    def excess(x: Any) -> Any:
        return _log(p, x) - _log(q, x) - epsilon

    grid = np.linspace(-end, end, 1201)
    turns = np.flatnonzero(np.diff(np.sign(excess(grid))))
    # Multiplied by the sign, every crossing rises: one bisection serves all.
    up = np.sign(excess(grid[turns + 1]))
    roots = _bisected(lambda x: excess(x) * up, grid[turns], grid[turns + 1])
    edges = np.array([-end, *roots, end] if p.radius < math.inf else [-40.0, *roots, 40.0])
    masses = np.diff(_below(p, edges)) - factor * np.diff(_below(q, edges))
    atoms = (a - factor * b for a, b in zip(_atoms(p), _atoms(q), strict=True))
    return math.fsum(np.maximum([*masses, *atoms], 0.0))


def _bisected(rising: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """To 2^-36 of the gap: masses between crossings depend on the square of what is left."""
    for _ in range(36):
        middle = (low + high) / 2
        up = rising(middle) > 0
        low = np.where(up, low, middle)
        high = np.where(up, middle, high)
    return (low + high) / 2


def _far() -> Iterator[Equality]:
    """Divergences of laws so far apart that one density underflows."""
    one = LineLaw(np.ones(1), np.zeros(1), np.ones(1))
    far = LineLaw(np.ones(1), np.array([0.5]), np.ones(1))
    # delta = Phi(x) - e^19 Phi(x - 1/2) at x = 1/4 - 38, by Mills ratios.
    x = -38.25 + 0.5
    expected = -x * x / 2 - _HALF_LOG_2PI + math.log(_mills(-x) - _mills(0.5 - x))
    # The densities' common factor in front, Mills ratios behind: e^19 Phi never overflows or
    # cancels.
    yield Equality(
        "log_hockey_stick far out",
        line_divergence.log_hockey_stick(one, far, 19.0),
        expected,
        1e-10,
    )
    yield Equality("renyi of shifted laws", line_divergence.renyi(one, far, 7.0), 7 / 8, 1e-10)


def _mills(x: float) -> float:
    """Mills ratio at x > 0."""
    # The continued fraction from its 60th term backwards.
    value = 0.0
    for k in range(60, 0, -1):
        value = k / (x + value)
    return 1 / (x + value)


def _distances() -> Iterator[Equality]:
    """W-infinity of mixtures against quantiles by bisection, and known cases."""
    for p, q in ((_THREE, _TWO), (_TWO, _THREE)):
        for radius in (0.6, 1.0):
            a, b = (LineLaw(law.weights, law.means, law.scales, radius) for law in (p, q))
            yield Equality(
                f"line_winf.winf on radius {radius}", line_winf.winf(a, b), _quantiles(a, b), 2e-4
            )
    p, q = (LineLaw(np.ones(1), np.array([m]), np.array([0.5])) for m in (0.0, 0.3))
    yield Equality("winf of shifted laws", line_winf.winf(p, q), 0.3, 1e-10)
    wide = LineLaw(np.ones(1), np.array([0.0]), np.array([0.6]))
    yield Equality("winf of unequal scales", line_winf.winf(p, wide), math.inf)
    p, wide = (LineLaw(law.weights, law.means, law.scales, 1.0) for law in (p, wide))
    # Where the wider law meets the radius, at z = 1/0.6, the other's quantile is 0.5/0.6: 1/6
    # apart.
    yield Equality("winf of unequal scales, projected", line_winf.winf(p, wide), 1 / 6, 1e-8)
    p = LineLaw(np.array([0.5, 0.5]), np.array([-1.0, 2.0]), np.array(0.5))
    q = LineLaw(np.array([0.5, 0.5]), np.array([0.0, 2.5]), np.array(0.5))
    yield Equality("winf of mixtures", line_winf.winf(p, q), 1.0, 1e-9)


def _quantiles(p: LineLaw, q: LineLaw) -> float:
    """The largest distance between quantiles at many levels, and at those of all four atoms."""
    # Between levels the distance may be a little larger: hence the tolerance of 2e-4.
    levels = np.array(
        [
            *np.linspace(0.004, 0.996, 497),
            _below(p, -p.radius),
            _below(q, -q.radius),
            _below(p, p.radius),
            _below(q, q.radius),
        ]
    )

    def at(law: LineLaw) -> Any:
        ends = np.full(levels.size, 8.0)
        quantiles = _bisected(lambda y: _below(law, y) - levels, -ends, ends)
        return np.clip(quantiles, -law.radius, law.radius)

    return float(np.abs(at(p) - at(q)).max())
