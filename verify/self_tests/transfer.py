"""Projected chains on an interval: nested integrals, Gaussian chains, gradients by hand."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import ndtr

from simulators.exact import maps
from simulators.exact.line import LineLaw
from simulators.exact.mixture import random_position
from simulators.exact.transfer import Atoms, Grid, Step, evolve, invariant, refined
from verify.self_tests import Equality

_RADIUS, _NOISE = 1.0, 0.5


def equalities() -> Iterator[Equality]:
    """Maps, grids, laws after some steps, invariant laws, the random position."""
    yield from _maps()
    yield from _grids()
    yield from _steps()
    yield from _invariant()
    yield from _mixture()


def _maps() -> Iterator[Equality]:
    """Gradients of the losses on a line, and a step on a batch of them."""
    x = np.array([-1.7, -0.6, 0.0, 0.3, 0.75, 2.0])
    # Complex steps, as in the losses.
    h = 1e-20j
    smooth = np.log(1 + np.exp(1.3 * (x + h))) + 0.1 * (x + h) ** 2
    yield Equality("maps.logistic", maps.logistic(1.3, -1.0, 0.2)(x), (smooth / 1e-20).imag, 1e-12)
    yield Equality("maps.quadratic", maps.quadratic(0.4, 1.5)(x), [0.4 * z - 1.5 for z in x])
    # Huber's gradient is that of the distance from an interval of the line, capped.
    expected = [(-0.5 if z < -0.2 else 0.5 if z > 0.8 else z - 0.3) + 0.1 * z for z in x]
    yield Equality("maps.huber", maps.huber(0.3, 0.5, 0.1)(x), expected)
    psi = maps.batch_map([maps.quadratic(0.5, 1.0), maps.quadratic(1.5, -2.0)], 0.1)
    yield Equality("maps.batch_map", psi(x), [z - 0.1 * (z + 0.5) for z in x])


def _grids() -> Iterator[Equality]:
    """Panels that end at kinks, masses with atoms, and values that do not settle."""
    grid = Grid.make(2.0, 60, breaks=[-0.5, 1.0, 5.0])
    # Integrands with kinks at the breaks: exact only where panels end there.
    integrals = [
        grid.weights @ np.abs(grid.nodes + 0.5),
        grid.weights @ np.maximum(grid.nodes, 1.0),
    ]
    yield Equality("Grid.make with kinks at its breaks", integrals, [4.25, 4.5], 1e-13)
    yield Equality(
        "Grid.make's count", [Grid.make(2.0, 60).nodes.size, grid.nodes.size], [60, 59]
    )  # 22 + 22 + 15
    few = Grid.make(1.0, 20, breaks=[0.9])
    yield Equality("Grid.make's least count", few.nodes.size, 27)
    yield Equality("Grid.support", grid.support[-2:], [-2.0, 2.0])
    law = LineLaw(np.array([0.4, 0.6]), np.array([-0.5, 1.2]), np.array([0.5, 0.7]), 2.0)
    masses = grid.masses(law)
    yield Equality("Grid.masses", [masses.sum(), masses[-2], masses[-1]],
                   [1.0, 0.4 * ndtr(-3.0) + 0.6 * ndtr(-3.2 / 0.7),
                    0.4 * ndtr(-5.0) + 0.6 * ndtr(-0.8 / 0.7)], 1e-9)  # fmt: skip
    yield Equality("refined", refined(lambda n: 3.0 + 1e-12 * n, 60), 3.0 + 1.2e-10, 1e-15)
    # Both ways of not settling must be refused: a value that comes back is the fault.
    for rough in (lambda n: 1 + 1 / n, lambda n: 1 - 1 / n):
        try:
            refined(rough, 60)
        except ValueError:
            continue
        yield Equality("refined, of a value that does not settle,", math.nan, 0.0)


def _steps() -> Iterator[Equality]:
    """One and two steps of the transfer operator by nested integrals."""
    first = maps.batch_map([maps.huber(0.3, 0.2, 0.1)], 0.6)
    second = maps.batch_map([maps.logistic(0.7, -1.0, 0.1)], 0.6)
    grid = Grid.make(_RADIUS, 150, breaks=[0.1, 0.5])
    steps = [Step.make(grid, psi, _NOISE) for psi in (first, second)]
    yield Equality("Step.make, on each column", steps[0].matrix.sum(axis=0), np.ones(152), 1e-11)
    start = Atoms.at(0.2, -0.7)
    yield Equality("Atoms.at", start.weights, [0.5, 0.5])
    y = np.array([-0.8, 0.0, 0.55])
    one = evolve(start, steps[:1])
    images = first(np.array([0.2, -0.7]))
    expected = _normal(y[:, None], images).mean(axis=1)
    yield Equality("evolve, one step", np.exp(one.log_density(y)), expected)
    law = evolve(start, steps)
    # The law before the last step, by the trapezoidal rule with end corrections on a fine grid.
    x, weight = _simpson(_RADIUS, 4000)
    inside = weight * _normal(x[:, None], images).mean(axis=1)
    ends = [ndtr((side * images - _RADIUS) / _NOISE).mean() for side in (-1, 1)]
    points = np.concatenate((x, [-_RADIUS, _RADIUS]))
    masses = np.concatenate((inside, ends))
    images = second(points)
    yield Equality(
        "evolve, two steps",
        np.exp(law.log_density(y)),
        [masses @ _normal(z, images) for z in y],
        1e-10,
    )
    yield Equality(
        "evolve, the atoms",
        np.exp(law.log_atoms()),
        [masses @ ndtr((-_RADIUS - images) / _NOISE), masses @ ndtr((images - _RADIUS) / _NOISE)],
        1e-10,
    )
    apart = evolve(evolve(start, steps, 2), steps, 3)
    yield Equality(
        "evolve, five epochs in two parts", apart.cdf(y), evolve(start, steps, 5).cdf(y), 1e-12
    )


def _normal(x: Any, mean: Any) -> Any:
    return np.exp(-(((x - mean) / _NOISE) ** 2) / 2) / (_NOISE * math.sqrt(2 * math.pi))


def _simpson(radius: float, pieces: int) -> tuple[np.ndarray, np.ndarray]:
    x = np.linspace(-radius, radius, pieces + 1)
    weight = np.where(np.arange(pieces + 1) % 2, 4.0, 2.0)
    weight[[0, -1]] = 1.0
    return x, weight * (x[1] - x[0]) / 3


def _invariant() -> Iterator[Equality]:
    """Invariant laws against Gaussian chains, and against one epoch more."""
    eta, noise = 0.5, 0.4
    losses = [(0.6, 1.0), (0.9, -0.5), (0.3, 0.2)]
    grid = Grid.make(8.0, 200)
    steps = [Step.make(grid, maps.batch_map([maps.quadratic(m, d)], eta), noise) for m, d in losses]
    # An epoch maps (mean, variance) to (a mean + b, a^2 variance + v): the fixed point is the law.
    a, b, v = 1.0, 0.0, 0.0
    for m, d in losses:
        c = 1 - eta * m
        a, b, v = c * a, c * b + eta * d, c * c * v + noise**2
    mean, scale = b / (1 - a), math.sqrt(v / (1 - a * a))
    y = np.array([-1.0, -0.2, 0.4, 1.1])
    expected = ndtr((y - mean) / scale)
    yield Equality("invariant of a Gaussian chain", invariant(steps).cdf(y), expected, 1e-11)
    for pair in ([maps.logistic(1.0, 1.0, 0.1), maps.quadratic(0.5, 0.8)],):
        near = Grid.make(1.0, 120)
        steps = [Step.make(near, maps.batch_map([g], 0.6), 0.4) for g in pair]
        law = invariant(steps)
        yield Equality(
            "invariant",
            law.cdf([-0.6, 0.1, 0.7]),
            evolve(Atoms.at(-1.0), steps, 100).cdf([-0.6, 0.1, 0.7]),
            1e-12,
        )


def _mixture() -> Iterator[Equality]:
    """Laws over the position of the replaced point, chain by chain."""
    c, q, s, batches, epochs = 0.7, 0.8, 0.3, 3, 2
    unlearned, target = random_position(c, q, s, batches, epochs, before=1.0, after=-0.5)
    means: dict[str, list[float]] = {"unlearned": [], "target": []}
    for position in range(batches):
        pushes = [0.0] * batches
        pushes[batches - 1 - position] = q / 2
        state, other = 0.0, 0.0
        for run in range(200 + epochs):
            for push in pushes:
                state = c * state + (push if run < 200 else -0.5 * push)
                other = c * other - 0.5 * push
        means["unlearned"].append(state)
        means["target"].append(other)
    for name, law in (("unlearned", unlearned), ("target", target)):
        yield Equality(f"random_position, {name}", np.sort(law.means), np.sort(means[name]))
        yield Equality("random_position's noise", law.scales, np.full(3, s / math.sqrt(1 - c * c)))
        yield Equality("random_position's weights", law.weights, np.full(3, 1 / 3))
