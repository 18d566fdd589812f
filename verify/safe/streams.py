"""SAFE without its forgetting term (lambda = 0) on streams of numbers, in exact arithmetic."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

Number = Any  # Fraction or float: the arithmetic of the data carries through
Loss = Callable[[Number, Number], Number]


def absolute(w: Number, x: Number) -> Number:
    return abs(w - x)


def absolute_slope(w: Number, x: Number) -> int:
    return int(w > x) - int(w < x)


def square(w: Number, x: Number) -> Number:
    return (w - x) ** 2 / 2


def square_slope(w: Number, x: Number) -> Number:
    return w - x


@dataclass(frozen=True)
class NumberStream:
    """Numbers with their multiplicities, and those that leave in each round.

    `loss` and `slope` take a model and a number; `best` gives a minimiser of the average loss.
    """

    data: Mapping[Number, int]
    requests: tuple[Mapping[Number, int], ...]
    loss: Loss
    slope: Loss
    best: Callable[[Mapping[Number, int]], Number]


@dataclass(frozen=True)
class NumberRun:
    """Noiseless models w_t, minimisers w_t* from round 0 on, and the data of each round."""

    models: list[Number]
    optima: list[Number]
    kept: list[dict[Number, int]]
    loss: Loss

    @property
    def regret(self) -> Number:
        rounds = zip(self.models, self.optima[1:], self.kept, strict=True)
        return sum(risk(self.loss, w, k) - risk(self.loss, o, k) for w, o, k in rounds)

    @property
    def path(self) -> Number:
        return sum(abs(a - b) for a, b in pairwise(self.optima))


def risk(loss: Loss, w: Number, data: Mapping[Number, int]) -> Number:
    return sum(n * loss(w, x) for x, n in data.items()) / sum(data.values())


def median(data: Mapping[Number, int]) -> Number:
    """The lower median."""
    half, seen = sum(data.values()), 0
    for x in sorted(data):
        seen += 2 * data[x]
        if seen >= half:
            return x
    raise ValueError("data must not be empty")


def mean(data: Mapping[Number, int]) -> Number:
    return sum(n * x for x, n in data.items()) / sum(data.values())


def safe(stream: NumberStream, gamma: Number) -> NumberRun:
    """Algorithm 1 with lambda = 0 and b_t = 0 from w_0 = w_0*: eq 15, then a step of length gamma.

    A gradient of 0 leaves the model at w_0.
    """
    kept, n = dict(stream.data), sum(stream.data.values())
    w0 = stream.best(kept)
    total = sum(m * stream.slope(w0, x) for x, m in kept.items())
    models, optima, rounds = [], [w0], []
    for request in stream.requests:
        for x, m in request.items():
            total -= m * stream.slope(w0, x)
            kept[x] -= m
        n -= sum(request.values())
        kept = {x: m for x, m in kept.items() if m}
        gradient = total / n
        models.append(w0 - gamma * ((gradient > 0) - (gradient < 0)))
        optima.append(stream.best(kept))
        rounds.append(dict(kept))
    return NumberRun(models, optima, rounds, stream.loss)


def median_stream(c: Number, T: int) -> NumberStream:
    """T + 2 points at 0, T + 1 at c: those at 0 leave, then one at c in each round."""
    requests = ({0: T + 2}, *({c: 1} for _ in range(T - 1)))
    return NumberStream({0: T + 2, c: T + 1}, requests, absolute, absolute_slope, median)


def mean_stream(c: Number, T: int, percent: int = 1) -> NumberStream:
    """`percent` of the data lie left of 0 and leave in round 1; the mean is 0, then c."""
    groups = -(-T // (100 - percent))
    few, many = percent * groups, (100 - percent) * groups
    far = -c * Fraction(many, few) if isinstance(c, Fraction) else -c * many / few
    requests = ({far: few}, *({c: 1} for _ in range(T - 1)))
    return NumberStream({far: few, c: many}, requests, square, square_slope, mean)


def bumped_stream(c: Number, T: int, width: Number) -> NumberStream:
    """The median stream with a dent of c's loss about 0, so that the first slope leads astray."""

    def loss(w: Number, x: Number) -> Number:
        if x == 0 or w >= width:
            return abs(w - x)
        return c - 2 * width + w if w >= -width else c - 4 * width - w

    def slope(w: Number, x: Number) -> int:
        return 1 if x and -width < w < width else absolute_slope(w, x)

    plain = median_stream(c, T)
    return NumberStream(plain.data, plain.requests, loss, slope, median)


def mean_excess(run: NumberRun, phi: float, ball: float = np.inf) -> float:
    """Expected regret with Gaussian noise of variance phi, by quadrature; projected on a ball."""
    from scipy.integrate import quad

    found: dict[tuple[Any, ...], float] = {}
    sigma, total = float(phi) ** 0.5, 0.0
    for w, o, kept in zip(run.models, run.optima[1:], run.kept, strict=True):
        size = sum(kept.values())
        key = (w, o, tuple(sorted((x, Fraction(n, size)) for x, n in kept.items())))
        if key not in found:
            low = float(risk(run.loss, o, kept))

            def excess(z: float, w: float = float(w), low: float = low, kept: Any = kept) -> float:
                model = min(max(w + sigma * z, -ball), ball)
                density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
                return float((risk(run.loss, model, kept) - low) * density)

            knots = [*map(float, kept), -ball, ball]
            inner = [(x - float(w)) / sigma for x in knots if abs(x - float(w)) < 12 * sigma]
            ends = [-12.0, *sorted(inner), 12.0]
            found[key] = sum(
                quad(excess, a, b, epsabs=0, epsrel=1e-12, limit=200)[0]
                for a, b in pairwise(ends)
                if b > a
            )
        total += found[key]
    return total
