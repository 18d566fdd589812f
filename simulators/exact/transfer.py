"""Exact laws on [-R, R] of x -> Pi_R(psi_j(x) + s N(0, 1)): a transfer operator with two atoms.

A law is carried by its density at Gauss-Legendre nodes and its masses at -R and R. One step turns
these into a finite Gaussian mixture, whose density and tails are analytic everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.exact.line import LineLaw
from simulators.exact.quadrature import panels

Array = NDArray[np.float64]
Map = Callable[[Array], Array]
_MASS_DEFECT = 1e-12


@dataclass(frozen=True)
class Grid:
    """Support of a discretised law: quadrature nodes in (-radius, radius), then the two ends."""

    radius: float
    nodes: Array
    weights: Array

    @classmethod
    @typed
    def make(cls, radius: float, count: int = 300, breaks: Sequence[float] = ()) -> Grid:
        """About `count` nodes in panels split at `breaks`, the kinks of the maps to be used."""
        bound = validation.scalar("radius", radius, low=0.0, low_open=True, high_open=True)
        total = validation.count("count", count, low=8)
        inner = sorted(x for x in set(breaks) if -bound < x < bound)
        edges = np.array([-bound, *inner, bound])
        # One rule per panel: a kink inside a panel would spoil its spectral accuracy.
        shares = np.maximum(8, np.round(total * np.diff(edges) / (2 * bound))).astype(int)
        parts = [panels(edges[i : i + 2], int(n)) for i, n in enumerate(shares)]
        nodes, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
        return cls(bound, nodes, weights)

    @property
    def support(self) -> Array:
        """The nodes followed by the two ends."""
        return np.append(self.nodes, [-self.radius, self.radius])

    @typed
    def masses(self, law: LineLaw) -> Array:
        """The masses that represent `law` on the support."""
        if law.radius != self.radius:
            raise ValueError(f"law must have radius {self.radius}, got {law.radius}")
        inside = self.weights * np.exp(law.log_density(self.nodes))
        return np.append(inside, np.exp(law.log_atoms()))


@dataclass(frozen=True)
class Step:
    """One noisy projected step: where the support goes, the noise, and the matrix on masses."""

    grid: Grid
    psi: Map
    noise: float
    centres: Array
    matrix: Array

    @classmethod
    @typed
    def make(cls, grid: Grid, psi: Map, noise: float) -> Step:
        """The step x -> Pi(psi(x) + noise N(0, 1)); psi is vectorised and finite on [-R, R].

        Raises ValueError when a Gaussian of s.d. `noise` is not integrated by the grid to 1e-12.
        """
        deviation = validation.scalar("noise", noise, low=0.0, low_open=True, high_open=True)
        centres = _image(psi, grid.support)
        gap = float(np.diff(np.sort(grid.support)).max())
        if not deviation >= 2 * gap:
            raise ValueError(
                f"noise must be >= 2 node gaps ({2 * gap:.3g}), got {deviation}; use more nodes"
            )
        z = (grid.nodes[:, None] - centres) / deviation
        inside = np.exp(-z * z / 2) * (grid.weights[:, None] / (deviation * math.sqrt(2 * math.pi)))
        below = ndtr((-grid.radius - centres) / deviation)
        above = ndtr((centres - grid.radius) / deviation)
        matrix = np.vstack([inside, below, above])
        # Products of two such Gaussians are met later; they are narrower by sqrt(2).
        defect = float(np.abs(matrix.sum(axis=0) - 1).max())
        if not defect <= _MASS_DEFECT:
            raise ValueError(
                f"noise must be such that the mass defect is <= {_MASS_DEFECT}, got {deviation} "
                f"with defect {defect:.1e}; use more nodes"
            )
        return cls(grid, psi, deviation, centres, matrix)


def _scale(step: Step) -> Array:
    return np.array(step.noise)


def _image(psi: Map, points: Array) -> Array:
    image = validation.real("psi", psi(points))
    if not (image.shape == points.shape and np.isfinite(image).all()):
        raise ValueError(f"psi must map shape {points.shape} to finite values of the same shape")
    return image


@dataclass(frozen=True)
class Atoms:
    """A start at finitely many points with weights that sum to 1."""

    points: Array
    weights: Array

    @classmethod
    def at(cls, *points: float) -> Atoms:
        """Equal mass at each of the points."""
        located = validation.real("points", points, low_open=True, high_open=True)
        return cls(located, np.full(located.size, 1 / located.size))

    @typed
    def after(self, step: Step) -> LineLaw:
        """The law one step later."""
        if not (np.abs(self.points) <= step.grid.radius).all():
            raise ValueError(f"points must lie in [-R, R], R = {step.grid.radius}")
        return LineLaw(self.weights, _image(step.psi, self.points), _scale(step), step.grid.radius)


def _read(step: Step, masses: Array) -> LineLaw:
    # Rounding of the masses (not the quadrature error, checked in Step.make) is divided out.
    return LineLaw(masses / masses.sum(), step.centres, _scale(step), step.grid.radius)


@typed
def evolve(start: LineLaw | Atoms, steps: Sequence[Step], epochs: int = 1) -> LineLaw:
    """The law after `epochs` >= 1 passes over `steps`, as an analytic projected mixture."""
    total = validation.count("epochs", epochs, low=1) * len(steps)
    if not total > 0:
        raise ValueError("steps must hold at least one step, got none")
    grid = steps[0].grid
    step_count = 0
    if isinstance(start, Atoms):
        start, step_count = start.after(steps[0]), 1
    if step_count == total:
        return start
    masses = grid.masses(start)
    for index in range(step_count, total - 1):
        masses = steps[index % len(steps)].matrix @ masses
    return _read(steps[-1], masses)


@typed
def invariant(steps: Sequence[Step]) -> LineLaw:
    """The invariant law of the epoch chain (sglu Theorem 3.1), by squaring its matrix to 1e-14.

    The law is that at the end of an epoch. Raises ValueError if 2^60 epochs do not mix.
    """
    if not len(steps) > 0:
        raise ValueError("steps must hold at least one step, got none")
    epoch = np.eye(steps[0].centres.size)
    for _, run in groupby(steps, key=id):  # a step that is repeated costs logarithmically many
        same = [step.matrix for step in run]
        epoch = np.linalg.matrix_power(same[0], len(same)) @ epoch
    for _ in range(60):
        epoch = epoch @ epoch
        epoch /= epoch.sum(axis=0)
        masses = epoch.mean(axis=1)
        if np.abs(epoch - masses[:, None]).sum(axis=0).max() <= 1e-14:
            break
    else:
        raise ValueError("steps must mix within 2^60 epochs")
    for step in steps[:-1]:
        masses = step.matrix @ masses
    return _read(steps[-1], masses)


@typed
def refined(compute: Callable[[int], float], nodes: int = 250, rtol: float = 1e-9) -> float:
    """compute(2 nodes), where compute(nodes) must agree to `rtol`; ValueError when it does not."""
    count = validation.count("nodes", nodes, low=1)
    slack = validation.scalar("rtol", rtol, low=0.0, high_open=True)
    coarse = validation.scalar("compute", compute(count))
    fine = validation.scalar("compute", compute(2 * count))
    if not (coarse == fine or abs(coarse - fine) <= slack * max(abs(fine), 1e-300)):
        raise ValueError(f"nodes must resolve the law: {nodes} give {coarse}, {2 * nodes} {fine}")
    return fine
