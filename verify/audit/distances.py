"""Contraction and sensitivity of a user's own functions, measured: lower limits of the true ones.

What is returned was attained (minus rounding), so it is a proved lower limit without any
probability; that no pair does worse is not shown.  Random functions are run twice with the same
randomness (synchronous coupling), which is what an accountant's contraction is about.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from verify.audit.outputs import called, flat, seeded

Array = NDArray[np.float64]
LARGEST = 1e150  # whose square is a float
_ROUNDING = 64 * 2.0**-52


@dataclass(frozen=True)
class Attained:
    """A value attained by the pair (first, second) out of `tried` pairs."""

    value: float
    first: Array
    second: Array
    tried: int


@typed
def contraction(
    step: Callable[[Any, np.random.Generator], Any],
    points: ArrayLike,
    *,
    pairs: int = 200,
    refinements: int = 30,
    radius: float = 1e-3,
    seed: int = 0,
) -> Attained:
    """Return the largest |step(x) - step(y)|/|x - y| found: a lower limit of its Lipschitz factor.

    Args:
        step: step(x, rng) -> the next iterate, x an array (d,); the same rng state for x and y.
        points: iterates (n, d), n >= 1, where it is tried.
        pairs: pairs of points tried, and as many of a point and a neighbour at `radius` times the
            points' size (at least 1e-8).
        refinements: from the best pair on, y moves to where the difference of the images points
            (a power iteration: it finds the top eigenvalue of a gradient step on a quadratic).

    Raises:
        ValueError: bad input, or what `step` returns is not finite numbers (or it raises).
    """
    x = validation.real("points", points, low=-LARGEST, high=LARGEST)
    x = x.reshape(1, -1) if x.ndim <= 1 else x.reshape(len(x), -1)
    number = validation.count("pairs", pairs, low=1)
    rounds = validation.count("refinements", refinements, low=0)
    span = validation.scalar("radius", radius, low=0, low_open=True, high=1)
    span *= max(float(np.abs(x).max()), 1.0)
    rng = np.random.default_rng(validation.count("seed", seed, low=0))
    best = Attained(0.0, x[0], x[0], 0)
    tried = 0

    def attempt(a: Array, b: Array) -> tuple[float, Array]:
        nonlocal best, tried
        tried += 1
        ya, yb = (flat("step", called("step", step, z.copy(), seeded(seed, 0))) for z in (a, b))
        if ya.shape != yb.shape:
            raise ValueError(f"step must keep its shape, got {ya.shape} and {yb.shape}")
        apart = float(np.linalg.norm(a - b))
        output_distance = float(np.linalg.norm(ya - yb)) - _ROUNDING * float(np.abs([ya, yb]).max())
        value = max(output_distance, 0.0) / apart if apart > 0 else 0.0
        if value > best.value:
            best = Attained(value, a, b, tried)
        return value, yb - ya

    for k in range(number):
        i, j = rng.integers(len(x), size=2)
        if i != j:
            attempt(x[i], x[j])
        direction = rng.normal(size=x.shape[1])
        attempt(x[k % len(x)], x[k % len(x)] + span * direction / np.linalg.norm(direction))
    base, direction = best.first, best.second - best.first
    for _ in range(rounds):
        size = float(np.linalg.norm(direction))
        if not size > 0 or direction.shape != base.shape:
            break
        _, direction = attempt(base, base + span * direction / size)
    return Attained(best.value, best.first, best.second, tried)


@typed
def sensitivity(
    function: Callable[..., Any],
    data: Any,
    neighbours: Iterable[Any],
    *,
    points: ArrayLike | None = None,
    seed: int = 0,
) -> Attained:
    """Return the largest |f(data) - f(data')| found: a lower limit of the sensitivity.

    Args:
        function: function(data, rng), or with points function(x, data, rng): a step on the data.
        neighbours: the adjacent data sets data'.
        points: iterates (n, d) at which a step is tried.

    Raises:
        ValueError: no neighbours, bad points, or outputs that are not finite numbers of one shape.
    """
    positions: list[tuple[Any, ...]] = [()]
    if points is not None:
        x = validation.real("points", points, low_open=True, high_open=True)
        positions = [(row,) for row in (x.reshape(1, -1) if x.ndim <= 1 else x.reshape(len(x), -1))]
    validation.count("seed", seed, low=0)

    def value(place: tuple[Any, ...], records: Any) -> Array:
        copies = [z.copy() for z in place]
        return flat("function", called("function", function, *copies, records, seeded(seed, 0)))

    here = [value(place, data) for place in positions]
    best, attempts = None, 0
    if not isinstance(neighbours, Iterable):
        raise ValueError(f"neighbours must be data sets, got {neighbours!r}")
    for other in neighbours:
        for place, a in zip(positions, here, strict=True):
            b = value(place, other)
            if a.shape != b.shape:
                raise ValueError(f"function must keep its shape, got {a.shape} and {b.shape}")
            attempts += 1
            slack = _ROUNDING * float(np.abs([a, b]).max())
            apart = max(0.0, float(np.linalg.norm(a - b)) - slack)
            if best is None or apart > best.value:
                best = Attained(apart, a, b, attempts)
    if best is None:
        raise ValueError("neighbours must be at least one data set, got none")
    return Attained(best.value, best.first, best.second, attempts)
