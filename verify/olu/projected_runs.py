"""Two runs of a projected learner on the line that share noise levels and skip different rounds.

Between requests a run is a deterministic map; at a request noise comes in, and then the projection
onto [-radius, radius]. Laws are carried by the transfer operator, atoms included.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from simulators.exact import line_divergence
from simulators.exact.line import LineLaw
from simulators.exact.transfer import Atoms, Grid, Step, evolve

Array = NDArray[np.float64]
Map = Callable[[Array], Array]


def composed(maps: Sequence[Map]) -> Map:
    """The maps one after the other; no map at all is the identity."""

    def run(x: Array) -> Array:
        for psi in maps:
            x = psi(x)
        return x

    return run


def segments(steps: Mapping[int, Map], skipped: Collection[int], ends: Sequence[int]) -> list[Map]:
    """One map for each request: all steps t that precede it and follow the last, but the skipped.

    ends: the last step before each request's noise, nondecreasing.
    """
    maps, first = [], min(steps)
    for end in ends:
        kept_steps = [steps[t] for t in range(first, end + 1) if t not in skipped]
        maps.append(composed(kept_steps))
        first = end + 1
    return maps


def law(
    maps: Sequence[Map], noises: Sequence[float], start: float, radius: float, nodes: int
) -> LineLaw:
    """The law after the last request's noise and projection."""
    grid = Grid.make(radius, nodes)
    steps = [Step.make(grid, psi, float(s)) for psi, s in zip(maps, noises, strict=True)]
    return evolve(Atoms.at(start), steps)


def divergence(
    first_maps: Sequence[Map],
    retrained: Sequence[Map],
    noises: Sequence[float],
    start: float,
    radius: float,
    alpha: float,
) -> float:
    """The larger of D_alpha in both directions; maps must be smooth on [-radius, radius]."""

    def compute(nodes: int) -> float:
        first = law(first_maps, noises, start, radius, nodes)
        second = law(retrained, noises, start, radius, nodes)
        return max(
            line_divergence.renyi(first, second, alpha), line_divergence.renyi(second, first, alpha)
        )

    coarse, fine = compute(120), compute(240)
    # Divergences near 0 are known to about 1e-11 only.
    if not abs(coarse - fine) <= 1e-7 * fine + 1e-11:
        raise ValueError(f"noises must be resolved, got {coarse} with 120 nodes, {fine} with 240")
    return fine
