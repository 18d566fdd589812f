"""Initial laws: the same start for every trial, given starts, or a random law."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from accounting.numerics import validation
from simulators.random.seeds import Purpose, generator

Law = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]
Initial = np.ndarray | Law
"""Checked: one point (*shape), one per trial (trials, *shape), or a law."""


def checked_initial(
    initial: object, shape: tuple[int, ...], trials: int, name: str = "initial"
) -> Initial:
    """Return a usable initial law.

    "zero": every trial starts at 0.  An array (*shape): at that point.  An array (trials, *shape):
    each trial at its own.  A function law(generator, (count, *shape)) -> array: drawn from it.
    The engine projects the start onto the domain, so that all starts are within its diameter.

    Raises ValueError for anything else.
    """
    if callable(initial):
        return initial
    if isinstance(initial, str):
        validation.choice(name, initial, ("zero",))
        return np.zeros(shape)
    points = validation.real(name, initial, low_open=True, high_open=True)
    if points.shape not in (shape, (trials, *shape)):
        raise ValueError(
            f"{name} must have shape {shape} or {(trials, *shape)}, got {points.shape}"
        )
    return points


def gaussian(standard_deviation: float) -> Law:
    """The law N(0, standard_deviation^2 I), projected onto the domain by the engine."""
    scale = validation.scalar("standard_deviation", standard_deviation, low=0.0, high_open=True)
    return lambda generator, shape: scale * generator.standard_normal(shape)


def initial_state(
    initial: Initial,
    shape: tuple[int, ...],
    size: int,
    kept: slice,
    seed: object,
    claim: object,
    block: int,
    purpose: Purpose,
) -> np.ndarray:
    """Starts (*shape, size) of one block; padding trials of given starts begin at 0."""
    if callable(initial):
        sample = initial(generator(seed, claim, block, purpose), (size, *shape))
        points = validation.real("initial", sample, low_open=True, high_open=True)
        if points.shape != (size, *shape):
            raise ValueError(
                f"initial must draw an array {(size, *shape)}, got shape {points.shape}"
            )
    elif initial.shape == shape:
        points = np.broadcast_to(initial, (size, *shape))
    else:
        points = np.zeros((size, *shape))
        points[: kept.stop - kept.start] = initial[kept]
    return np.moveaxis(points, 0, -1).copy()
