"""Small streams of deletions on which every risk of safe is added up sample by sample."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log, log1p
from statistics import NormalDist, mean, stdev
from typing import Any

import numpy as np

from verify.checks import Context, Findings


@dataclass(frozen=True)
class SampleStream:
    """Losses, divergences of predictions, and the round at which each sample leaves.

    `loss(i, w)` and `gradient(i, w)` belong to sample i, `divergence(i, w, v)` is that of the
    prediction at w from the one at v (in this order), `minimise(rows)` the model of least loss.
    `slopes` are Lipschitz constants of the losses without their ridge.
    """

    leaves: tuple[int, ...]
    loss: Callable[[int, Any], Any]
    gradient: Callable[[int, Any], Any]
    divergence: Callable[[int, Any, Any], Any]
    minimise: Callable[[Sequence[int]], Any]
    slopes: tuple[float, ...] = ()

    @property
    def rounds(self) -> int:
        """The last round in which something leaves."""
        return max((r for r in self.leaves if r < max(self.leaves)), default=0)

    def request(self, t: int) -> list[int]:
        """The samples that leave in round t."""
        return [i for i, r in enumerate(self.leaves) if r == t]

    def kept(self, t: int) -> list[int]:
        """D_t, by taking away one request after the other."""
        there = set(range(len(self.leaves)))
        for s in range(1, t + 1):
            there -= set(self.request(s))
        return sorted(there)

    def left(self, t: int) -> list[int]:
        """The union of the requests of rounds 1..t."""
        return [i for s in range(1, t + 1) for i in self.request(s)]

    def star(self, t: int) -> Any:
        return self.minimise(self.kept(t))

    def mean_loss(self, rows: Sequence[int], w: Any) -> Any:
        return sum(self.loss(i, w) for i in rows) / len(rows)

    def mean_gradient(self, rows: Sequence[int], w: Any) -> Any:
        return sum(self.gradient(i, w) for i in rows) / len(rows)

    def gap(self, t: int, w: Any) -> Any:
        """Eq (7)."""
        rows = self.kept(t)
        return self.mean_loss(rows, w) - self.mean_loss(rows, self.minimise(rows))

    def mean_divergence(self, t: int, w: Any) -> Any:
        """Eq (8), 0 while nothing has left."""
        rows, star = self.left(t), self.star(t)
        return sum(self.divergence(i, w, star) for i in rows) / len(rows) if rows else 0

    def objective(self, t: int, w: Any, lam: Any) -> Any:
        """Eq (5) with the means of eqs (7) and (8)."""
        return self.gap(t, w) + lam * self.mean_divergence(t, w)

    def risk(self, t: int, w: Any, lam: Any) -> Any:
        """Eq (10)."""
        return self.mean_loss(self.kept(t), w) + lam * self.mean_divergence(t, w)


def quadratics(data: Iterable[float], leaves: Iterable[float]) -> SampleStream:
    """(w - x)^2/2 with predictions N(w, 1), in rational numbers."""
    x = [Fraction(v) for v in data]

    def divergence(i: int, w: Fraction, v: Fraction) -> Fraction:
        # E log(f/f') under N(w, 1); the mean over w - 1 and w + 1 is exact for second degree.
        return sum((((y - v) ** 2 - (y - w) ** 2) / 2 for y in (w - 1, w + 1)), Fraction(0)) / 2

    def minimise(rows: Sequence[int]) -> Fraction:
        # The zero of a gradient that is linear, through its values at 0 and 1.
        at_0, at_1 = (sum((w - x[i] for i in rows), Fraction(0)) for w in (0, 1))
        return -at_0 / (at_1 - at_0)

    return SampleStream(
        tuple(int(r) for r in leaves),
        lambda i, w: (w - x[i]) ** 2 / 2,
        lambda i, w: w - x[i],
        divergence,
        minimise,
    )


def random_lists(rng: np.random.Generator, rounds: int) -> dict[str, list[float]]:
    """Samples and rounds of leaving: at least one leaves in every round, and two stay."""
    leaves = [*range(1, rounds + 1), rounds + 1, rounds + 1]
    leaves += [int(r) for r in rng.integers(1, rounds + 2, size=int(rng.integers(0, 6)))]
    return {
        "data": [float(x) for x in 3 * rng.normal(size=len(leaves))],
        "leaves": [float(r) for r in rng.permutation(leaves)],
    }


def on_streams(
    exact_side: Callable[..., float],
    form: str = "printed",
    *,
    first: int = 0,
    count: tuple[int, int] = (60, 2000),
    words: str = "sample by sample",
    tolerance: float = 1e-11,
) -> Callable[[Context], Findings]:
    """The exact side against a form on random streams of three rounds, in rounds `first` to 3."""

    def check(ctx: Context) -> Findings:
        rng = ctx.rng(1)
        for k in range(ctx.pick(*count)):
            random_inputs: dict[str, Any] = {**random_lists(rng, 3), "t": first + k % (4 - first)}
            random_inputs |= {"w": float(3 * rng.normal()), "lam": float(rng.exponential())}
            random_inputs |= {"models": (3 * rng.normal(size=3)).tolist()}
            inputs = {name: random_inputs[name] for name in ctx.claim.symbols}
            lhs = exact_side(**inputs)
            yield ctx.compare("literal", form, lhs, inputs, words, relation="==", tolerance=1e-11)

    return check


def logistic(rng: np.random.Generator, rounds: int, d: int = 2, mu: float = 0.1) -> SampleStream:
    """Ridge-logistic losses in d dimensions, predictions of two classes."""
    leaves = tuple(int(r) for r in random_lists(rng, rounds)["leaves"])
    x = rng.normal(size=(len(leaves), d))
    y = rng.choice([-1.0, 1.0], size=len(leaves))

    def loss(i: int, w: np.ndarray) -> float:
        return log1p(exp(-y[i] * float(x[i] @ w))) + mu / 2 * float(w @ w)

    def gradient(i: int, w: np.ndarray) -> np.ndarray:
        return np.asarray(-y[i] * x[i] / (1 + exp(y[i] * float(x[i] @ w))) + mu * w)

    def divergence(i: int, w: np.ndarray, v: np.ndarray) -> float:
        f, g = (1 / (1 + exp(-float(x[i] @ u))) for u in (w, v))
        return f * log(f / g) + (1 - f) * log((1 - f) / (1 - g))

    def minimise(rows: Sequence[int]) -> np.ndarray:
        A, w = y[rows, None] * x[rows], np.zeros(d)
        for _ in range(30):
            p = 1 / (1 + np.exp(A @ w))
            slope = mu * w - A.T @ p / len(rows)
            curvature = mu * np.eye(d) + (A * (p * (1 - p))[:, None]).T @ A / len(rows)
            step = np.linalg.solve(curvature, slope)
            w = w - step / (1 + float(np.linalg.norm(step)) / 3)
            if float(np.abs(step).max()) < 1e-8:
                break
        return w - np.linalg.solve(curvature, mu * w - A.T @ (1 / (1 + np.exp(A @ w))) / len(rows))

    slopes = tuple(np.linalg.norm(x, axis=1).tolist())
    return SampleStream(leaves, loss, gradient, divergence, minimise, slopes)


# Two classes on a line with logits (w x, 0) and the trained model w_0 = 1.2: (class, x) by round.
FIRST = (1.0, 2.0, 3.0, 0.5)
SECOND = (-1.0, -2.0, 0.0, -0.5)
LEAVING = ((), (("first", 3.0), ("second", -2.0)), (("first", 0.5),))
TRAINED = 1.2


@dataclass(frozen=True)
class TwoClasses:
    """Round t of the two classes: what is kept, what has left, and log q of eq (24) there."""

    first: tuple[float, ...]
    second: tuple[float, ...]
    deleted: tuple[float, ...]
    log_q: tuple[tuple[float, float], ...]

    @property
    def signed(self) -> list[float]:
        """Features of D_t, with the sign of their class."""
        return [*self.first, *(-x for x in self.second)]

    @property
    def targets(self) -> list[float]:
        """Log odds of the normalised q f(x; w_0) on what has left."""
        return [TRAINED * x + a - b for x, (a, b) in zip(self.deleted, self.log_q, strict=True)]


def two_classes(t: int) -> TwoClasses:
    """Round t, with means and unbiased variances of each class counted afresh."""
    removed_items = [item for s in range(1, t + 1) for item in LEAVING[s]]
    kept_points = {
        name: tuple(x for x in xs if (name, x) not in removed_items)
        for name, xs in (("first", FIRST), ("second", SECOND))
    }

    def log_q(x: float, before: Sequence[float], now: Sequence[float]) -> float:
        laws = [NormalDist(mean(xs), stdev(xs)) for xs in (now, before)]
        return log(len(now) / len(before)) + log(laws[0].pdf(x)) - log(laws[1].pdf(x))

    return TwoClasses(
        kept_points["first"],
        kept_points["second"],
        tuple(x for _, x in removed_items),
        tuple(
            (log_q(x, FIRST, kept_points["first"]), log_q(x, SECOND, kept_points["second"]))
            for _, x in removed_items
        ),
    )
