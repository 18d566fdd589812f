"""Descent on streams of quadratics: Fractions step by step, the whole law on many points."""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import ndtr

from simulators.exact.projected_stream import comparator_losses, expected_losses, projected_moments
from simulators.exact.quadratic_stream import QuadraticStream
from verify.self_tests import Equality

_X = [Fraction(v, 8) for v in (3, -5, 2, 7, -1, -6, 4, 5, -3)]
_H = [Fraction(v, 4) for v in (4, 6, 3, 5, 8, 4, 7, 3, 5)]
_ETA = [Fraction(1, t) / 2 for t in range(1, 10)]
_U = (2, 4, 1)
_TAU = (3, 6, 9)
_SIGMA = (Fraction(1, 3), Fraction(1, 5), Fraction(2, 3))


def equalities() -> Iterator[Equality]:
    """On the line, then on an interval."""
    yield from _line()
    yield from _moments()
    yield from _interval()


def _moved(skipped: tuple[int, ...] = (), noise: bool = True) -> tuple[list[Any], list[Any]]:
    """Means and variances of w_1.. as played, each step on its own."""
    mean = Fraction(1, 2)
    variance = Fraction(0)
    means = []
    variances = []
    for t in range(1, len(_X) + 2):
        # Noise of a request comes before the round of its time is played.
        if noise and t in _TAU:
            variance += _SIGMA[_TAU.index(t)] ** 2
        means.append(mean)
        variances.append(variance)
        if t <= len(_X) and t not in skipped:
            rate = _ETA[t - 1] * _H[t - 1]
            mean -= rate * (mean - _X[t - 1])
            variance *= (1 - rate) ** 2
    return means, variances


def _star(gone: tuple[int, ...]) -> Fraction:
    kept_terms = [(h, x) for t, (h, x) in enumerate(zip(_H, _X, strict=True), 1) if t not in gone]
    return sum((h * x for h, x in kept_terms), Fraction(0)) / sum(h for h, _ in kept_terms)


def _line() -> Iterator[Equality]:
    """Means, variances and regrets of quadratic streams in Fractions."""
    stream = QuadraticStream(np.array(_X, float), np.array(_H, float), np.array(_ETA, float), 0.5)
    sigma = [float(s) for s in _SIGMA]
    result: Any
    expected: Any
    skipped: tuple[int, ...]
    for skipped in ((), (2, 4)):
        expected = _moved(skipped)
        result = stream.laws(_TAU, sigma, skipped)
        yield Equality(
            f"QuadraticStream.laws, means without {skipped}", result[0][:, 0], expected[0]
        )
        yield Equality(f"QuadraticStream.laws, variances without {skipped}", result[1], expected[1])
    stars = [_star(_U[:i]) for i in range(4)]
    yield Equality("QuadraticStream.comparators", stream.comparators(_U)[:, 0], stars)
    means, variances = _moved()
    for moving in (True, False):
        regret = sum(
            h / 2 * ((m - x) ** 2 + v - (stars[sum(a < t for a in _TAU) * moving] - x) ** 2)
            for t, (h, x, m, v) in enumerate(
                zip(_H, _X, means[:-1], variances[:-1], strict=True), 1
            )
        )
        result = stream.expected_regret(_U, _TAU, sigma, moving)
        yield Equality(f"expected_regret, moving {moving},", result, regret)
    pair = stream.pair(_U, _TAU, sigma, 2)
    for law, skipped in zip(pair, ((), _U[:2]), strict=True):
        expected = [part[_TAU[1] - 1] for part in _moved(skipped)]
        yield Equality("QuadraticStream.pair", [law[0][0], law[1]], expected)
    rows = np.array([[1.0, 2.0], [-1.0, 0.5], [0.3, -0.7]])
    plane = QuadraticStream(rows, 1.5, 0.4, [0.1, 0.2])
    parts = [QuadraticStream(rows[:, i], 1.5, 0.4, [0.1, 0.2][i]) for i in (0, 1)]
    yield Equality(
        "QuadraticStream's rounds and dimension", [plane.rounds, plane.dimension], [3, 2]
    )
    yield Equality(
        "expected_regret in the plane",
        plane.expected_regret([1], [2], [0.3]),
        sum(p.expected_regret([1], [2], [0.3]) for p in parts),
    )


def _moments() -> Iterator[Equality]:
    """Moments of projected normal numbers by quadrature and atoms."""
    z, w = np.polynomial.legendre.leggauss(400)
    for mean, sigma, radius in (
        (0.0, 0.3, 1.0),
        (0.9, 0.5, 1.0),
        (-2.0, 0.7, 0.8),
        (0.2, 5.0, 2.0),
    ):
        # Inside, the density; outside, atoms at the ends of the interval.
        y = radius * z
        mass = radius * w * np.exp(-(((radius * z - mean) / sigma) ** 2) / 2)
        mass /= sigma * math.sqrt(2 * math.pi)
        ends = [ndtr((-radius - mean) / sigma), ndtr((mean - radius) / sigma)]
        expected = [mass @ y + radius * (ends[1] - ends[0]), mass @ y**2 + radius**2 * sum(ends)]
        yield Equality("projected_moments", projected_moments(mean, sigma, radius), expected, 1e-12)
    quiet = projected_moments([3.0, -0.4], 0.0, 1.0)
    yield Equality("projected_moments without noise", quiet, [[1.0, -0.4], [1.0, 0.16]])


def _interval() -> Iterator[Equality]:
    """Expected losses on an interval, the whole law on many points."""
    expected: Any
    x = np.array([_X, _X[::-1]], float)
    h = np.array([_H, _H[::-1]], float)
    eta = np.array([1.5 / 2, *_ETA[1:]], float)
    sigma = np.array([[0.5, 0.35, 0.4], [0.2, 0.6, 0.3]])
    for radius in (0.9, 1.4):
        loss_rows = expected_losses(x, h, eta, radius, _TAU, sigma, start=0.5)
        for n in (0, 1):
            expected = _by_density(x[n], h[n], eta, radius, sigma[n], 0.5)
            yield Equality(f"expected_losses on radius {radius}", loss_rows[n], expected, 1e-9)
    quiet = expected_losses(x, h, eta, 0.9, start=0.5)
    expected = [_by_density(x[n], h[n], eta, 0.9, np.zeros(3), 0.5) for n in (0, 1)]
    yield Equality("expected_losses without noise", quiet, expected)
    yield Equality(
        "expected_losses, silent requests",
        expected_losses(x, h, eta, 0.9, _TAU, 0.0, start=0.5),
        quiet,
    )
    losses = comparator_losses(x[:1], h[:1], _U, _TAU)[0]
    stars = [_star(_U[: sum(a < t for a in _TAU)]) for t in range(1, 10)]
    expected = [hh / 2 * (xx - z) ** 2 for hh, xx, z in zip(_H, _X, stars, strict=True)]
    yield Equality("comparator_losses", losses, expected)


def _by_density(x: Any, h: Any, eta: Any, radius: float, sigma: Any, start: float) -> list[float]:
    """The law on many points of the interval, with each step applied to every one of them."""
    z, w = np.polynomial.legendre.leggauss(500)
    points, masses = np.array([start]), np.ones(1)
    losses = []
    for t in range(1, len(x) + 1):
        # Noise and projection: the density on fresh nodes, and the mass beyond each end.
        if t in _TAU and (s := sigma[_TAU.index(t)]) > 0:
            nodes = radius * z
            kernel = np.exp(-(((nodes[:, None] - points) / s) ** 2) / 2)
            inside = radius * w * (kernel @ masses) / (s * math.sqrt(2 * math.pi))
            below, above = (masses @ ndtr((side * points - radius) / s) for side in (-1, 1))
            points = np.concatenate((nodes, [-radius, radius]))
            masses = np.concatenate((inside, [below, above]))
        losses.append(float(h[t - 1] / 2 * (masses @ (points - x[t - 1]) ** 2)))
        # Steps without noise move the points and keep the masses.
        images = points - eta[t - 1] * h[t - 1] * (points - x[t - 1])
        points = np.clip(images, -radius, radius)
    return losses
