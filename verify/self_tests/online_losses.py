"""Streams of losses and their moving minimisers: sums round by round, optimality by hand."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from simulators import domains
from simulators.domains import Ball, Box
from simulators.losses.logistic import Logistic
from simulators.losses.ridge import Ridge
from simulators.online.comparators import comparators, gradient_mapping
from simulators.online.linear import Linear
from simulators.online.rows import Rows
from simulators.online.streams import diameter, farthest, project_rows_, projected
from verify.self_tests import Equality

ROUNDS, DIMENSION, MU, RADIUS = 9, 2, 0.5, 0.8
GONE = (4, 2)
Array = NDArray[np.float64]


def equalities() -> Iterator[Equality]:
    """Streams, then minimisers."""
    yield from _streams()
    yield from _comparators()


def _rows(seed: int = 1, rounds: int = ROUNDS) -> tuple[Array, Array, Array]:
    random = np.random.default_rng(seed)
    rows = random.normal(size=(rounds, DIMENSION))
    return rows, random.uniform(-0.5, 0.5, rounds), random.uniform(0.5, 2.0, rounds)


class LogisticTerm:
    """f_s(w) = c log(1 + e^(<a, w> - b)) + (mu/2)|w|^2 and its derivatives, at one point."""

    def __init__(self, mu: float = MU, rounds: int = ROUNDS) -> None:
        self.mu = mu
        self.a, self.b, self.c = _rows(rounds=rounds)

    def _odds(self, s: int, w: Array) -> float:
        return math.exp(float(self.a[s - 1] @ w) - self.b[s - 1])

    def value(self, s: int, w: Array) -> float:
        return float(self.c[s - 1] * math.log1p(self._odds(s, w)) + self.mu / 2 * (w @ w))

    def gradient(self, s: int, w: Array) -> Array:
        odds = self._odds(s, w)
        return np.asarray(self.c[s - 1] * odds / (1 + odds) * self.a[s - 1] + self.mu * w)

    def hessian(self, s: int, w: Array) -> Array:
        odds, a = self._odds(s, w), self.a[s - 1]
        bend = self.c[s - 1] * odds / (1 + odds) ** 2
        return np.asarray(bend * np.outer(a, a) + self.mu * np.eye(len(w)))


def _streams() -> Iterator[Equality]:
    """Losses, gradients and constants of streams, each round by hand."""
    totals: Any
    expected: Any
    hand = LogisticTerm()
    rows = Rows(Logistic(MU), hand.a, hand.b, hand.c, Ball(RADIUS))
    linear = Linear(hand.a, hand.b, Ball(RADIUS))
    points = np.array([[0.3, -0.4], [0.9, 0.2], [-0.1, 0.0]])
    at = torch.tensor(points)
    sizes = [rows.rounds, rows.dimension, linear.rounds, linear.dimension]
    yield Equality("a stream's rounds and dimension", sizes, [ROUNDS, DIMENSION] * 2)
    for stream, value, gradient, hessian in (
        (rows, hand.value, hand.gradient, hand.hessian),
        (
            linear,
            lambda s, w: float(hand.a[s - 1] @ w) + hand.b[s - 1],
            lambda s, w: hand.a[s - 1],
            lambda s, w: np.zeros((DIMENSION, DIMENSION)),
        ),
    ):
        name = type(stream).__name__
        for last, removed in ((None, ()), (7, (2, 5, 9)), (None, (1, 9))):
            kept_rounds = [s for s in range(1, (last or ROUNDS) + 1) if s not in removed]
            for what, one in (("value", value), ("gradient", gradient), ("hessian", hessian)):
                totals = getattr(stream, f"{what}_total")(at, last, removed)
                expected = [sum(one(s, w) for s in kept_rounds) for w in points]
                yield Equality(f"{name}.{what}_total, {last}, {removed}", totals, expected)
            yield Equality(f"{name}.kept", stream.kept(last, removed), len(kept_rounds))
        totals = stream.losses(at, slice(0, ROUNDS))
        expected = [[value(s, w) for s in range(1, ROUNDS + 1)] for w in points]
        yield Equality(f"{name}.losses", totals, expected)
        totals = stream.losses(at, [3, 1])
        yield Equality(f"{name}.losses of two", totals, [[v[3], v[1]] for v in expected])
        for t in (1, 6):
            values, pulls = stream.evaluate(t, at)
            expected = [gradient(t, w) for w in points]
            yield Equality(f"{name}.evaluate", values, [value(t, w) for w in points])
            yield Equality(f"{name}.evaluate, gradients", pulls, expected)
            yield Equality(f"{name}.gradients", stream.gradients(t, at), expected)
            yield Equality(f"{name}.value", stream.value(t, at), [value(t, w) for w in points])
    scores = np.sqrt((hand.a**2).sum(axis=1)) * RADIUS + np.abs(hand.b)
    norms = np.sqrt((hand.a**2).sum(axis=1))
    c = rows.constants
    yield Equality(
        "Rows.constants",
        [c.strong_convexity, c.smoothness, c.lipschitz, c.diameter, c.hessian_lipschitz],
        [
            MU,
            np.max(hand.c * norms**2) / 4 + MU,
            np.max(hand.c * norms / (1 + np.exp(-scores))) + MU * RADIUS,
            2 * RADIUS,
            np.max(hand.c * norms**3) / (6 * math.sqrt(3)),
        ],
    )
    yield Equality("Linear.constants", linear.constants.lipschitz, norms.max())
    w = points[0]
    size = np.mean([np.linalg.norm(hand.gradient(s, w) - MU * w) for s in range(1, ROUNDS + 1)])
    totals = rows.gradient_size(at[:1])
    yield Equality("Rows.gradient_size", totals, size + MU * np.linalg.norm(w))
    # Six repeats of two rows, which the code may group: the sums must not notice.
    few = Rows(Logistic(), np.tile([[0.5], [-1.0]], (6, 1)), np.tile([0.1, 0.3], 6), 2.0)
    x = torch.tensor([[0.7], [-0.2]])
    x = x.double()
    expected = [
        [sum(6 * 2 * a / (1 + math.exp(b - a * z)) for a, b in ((0.5, 0.1), (-1.0, 0.3)))]
        for z in (0.7, -0.2)
    ]
    yield Equality("Rows on the line, few distinct", few.gradient_total(x), expected, 1e-7)
    projections = torch.tensor([[3.0, 4.0], [0.1, 0.2]], dtype=torch.float64)
    project_rows_(Ball(2.5), projections)
    yield Equality("project_rows_", projections, [[1.5, 2.0], [0.1, 0.2]])
    yield Equality("projected", projected(Box(-1.0, 3.5), np.array([3.0, 4.0])), [3.0, 3.5])
    yield Equality("diameter", [diameter(Box(-1.0, 2.0), 4), diameter(Ball(1.5), 4)], [6.0, 3.0])
    # The farthest corner, or the antipode on the sphere.
    far = [farthest(k, np.array([[3.0, -4.0]]))[0] for k in (Ball(1.0), Box(-1.0, 2.0))]
    yield Equality("farthest", far, [6.0, math.sqrt(16 + 36)])


def _comparators() -> Iterator[Equality]:
    """Minimisers of the losses in force, by optimality and by other solvers."""
    expected: Any
    for name, radius in (("a ball, on its sphere", 0.15), ("a ball, inside", 5.0)):
        hand = LogisticTerm()
        stream = Rows(Logistic(MU), hand.a, hand.b, hand.c, domains.Ball(radius))
        minimisers = comparators(stream, GONE)
        for i, z in enumerate(minimisers):
            kept_rounds = [s for s in range(1, ROUNDS + 1) if s not in GONE[:i]]
            # Optimal exactly where a projected gradient step leads back to the point.
            pull = sum(hand.gradient(s, z) for s in kept_rounds) / len(kept_rounds)
            step = z - pull
            size = math.sqrt(float(step @ step))
            yield Equality(f"comparators on {name}", z, step * min(1.0, radius / size), 1e-7)
        far = np.array([0.1, 0.05])
        pull = sum(hand.gradient(s, far) for s in range(1, ROUNDS + 1)) / ROUNDS
        beta = stream.constants.smoothness
        step = far - pull / beta
        size = math.sqrt(float(step @ step))
        expected = beta * np.linalg.norm(far - step * min(1.0, radius / size))
        yield Equality("gradient_mapping", gradient_mapping(stream, far), expected)
    # Least squares: the normal equations, on a box one coordinate at a time.
    a, b, _ = _rows(4)
    for domain, expected in (
        (None, np.linalg.solve(a.T @ a, a.T @ b)),
        (domains.Box(-0.05, 0.04), None),
    ):
        (z,) = comparators(Rows(Ridge(), a, b, domain=domain))
        if expected is None:
            expected = z.copy()
            # Coordinate descent, each coordinate clipped: its limit is the minimum on the box.
            for _ in range(60):
                for i in (0, 1):
                    rest = b - a[:, 1 - i] * expected[1 - i]
                    expected[i] = np.clip(a[:, i] @ rest / (a[:, i] @ a[:, i]), -0.05, 0.04)
        yield Equality(f"comparators of least squares, {domain}", z, expected, 1e-8)
    # Losses of size 1e-13: tolerances of the minimiser must be relative.
    (faint,) = comparators(Rows(Ridge(), a, b, 1e-13, domains.Ball(50.0)))
    exact = np.linalg.solve(a.T @ a, a.T @ b)
    yield Equality("comparators of faint losses", faint, exact, 1e-8)
    # On a line in the plane: many minimisers, one fit.
    flat = a[:, :1] * [[1.0, 2.0]]
    (z,) = comparators(Rows(Ridge(), flat, b))
    fit = a[:, 0] @ b / (a[:, 0] @ a[:, 0])
    yield Equality("comparators of a singular sum", z[0] + 2 * z[1], fit, 1e-8)
    line = Rows(Ridge(), a[:, :1], b, domain=domains.Ball(0.6))
    yield Equality(
        "comparators on an interval",
        comparators(line)[0, 0],
        np.clip(a[:, 0] @ b / (a[:, 0] @ a[:, 0]), -0.6, 0.6),
        1e-9,
    )
