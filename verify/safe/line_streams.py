"""Deletion streams on the line that defeat SAFE, run from their points, with exact regret.

R_t is the mean loss over the points that are left.  SAFE's g_t is its (sub)gradient at w_0, by the
recursion of safe, eq (15); the forgetting term is left out (lambda = 0).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.exact.projected_normal import mean_distance, mean_square
from simulators.random.seeds import Purpose, generator
from simulators.streaming.deletions import Deletions, given
from simulators.streaming.features import flag

KINDS = ("absolute", "quadratic")


@typed
@dataclass(frozen=True, eq=False)
class LineStream:
    """points (n,); losses U|w - x| ("absolute") or (w - x)^2/2 ("quadratic"); who leaves when.

    start: w_0, a minimiser of R_0.  lipschitz: U (of the absolute loss).  radius: W, which bounds
    |w_0| and every |w_t*|.  Raises ValueError where they do not.
    """

    points: np.ndarray
    kind: str
    deletions: Deletions
    lipschitz: float = 1.0
    radius: float = 1.0
    start: float = 0.0

    def __post_init__(self) -> None:
        x = validation.real("points", self.points, low_open=True, high_open=True)
        validation.choice("kind", self.kind, KINDS)
        if not isinstance(self.deletions, Deletions) or self.deletions.removed_at.shape != (
            1,
            *x.shape,
        ):
            raise ValueError(
                f"deletions must be one trial of {x.size} rows, as many as points, "
                f"got {self.deletions!r}"
            )
        for name in ("lipschitz", "radius"):
            validation.scalar(name, getattr(self, name), low=0.0, low_open=True, high_open=True)
        validation.scalar("start", self.start, low_open=True, high_open=True)
        object.__setattr__(self, "points", x)
        largest = max(abs(self.start), *np.abs(self.minimisers).tolist())
        if not largest <= self.radius * (1 + 1e-12):
            raise ValueError(
                f"radius must be >= {validation.shortest(largest)}, the largest of start and "
                f"minimisers, got {self.radius!r}"
            )

    @property
    def rounds(self) -> int:
        """T."""
        return self.deletions.rounds

    @cached_property
    def minimisers(self) -> np.ndarray:
        """w_0*..w_T* (T + 1,): means, or medians (the one nearest to w_0 where there are more)."""
        best = np.empty(self.rounds + 1)
        for t in range(self.rounds + 1):
            points, counts = self._counted(t)
            if self.kind == "quadratic":
                best[t] = np.repeat(points, counts).mean()
            else:
                # Between the two middle points, of the sorted ones, every point is a median.
                upto = np.cumsum(counts)
                middle = np.array([(upto[-1] - 1) // 2, upto[-1] // 2])
                low, high = points[np.searchsorted(upto, middle, side="right")]
                best[t] = min(max(self.start, low), high)
        best.flags.writeable = False
        return best

    @property
    def path_length(self) -> float:
        """V_T."""
        return float(np.abs(np.diff(self.minimisers)).sum())

    def value(self, t: int, w: np.ndarray) -> np.ndarray:
        """R_t at every w, shape of w."""
        points, share = self._shares(t)
        away = _points(w)[..., None] - points
        each = self.lipschitz * np.abs(away) if self.kind == "absolute" else 0.5 * away * away
        return np.asarray(each @ share)

    def gradient(self, t: int, w: np.ndarray) -> np.ndarray:
        """A (sub)gradient of R_t at every w (of |.| at 0: 0)."""
        points, share = self._shares(t)
        return np.asarray(self._slopes(_points(w)[..., None] - points) @ share)

    def _slopes(self, away: np.ndarray) -> np.ndarray:
        return self.lipschitz * np.sign(away) if self.kind == "absolute" else away

    @cached_property
    def _places(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The distinct points; point and round of leaving of each row, sorted; each point's end."""
        points, index, counts = np.unique(self.points, return_inverse=True, return_counts=True)
        keys = np.sort(index * (self.rounds + 2) + self.deletions.removed_at[0])
        return points, keys, np.cumsum(counts)

    def _counted(self, t: int) -> tuple[np.ndarray, np.ndarray]:
        """The distinct points that are left after round t, and how often each."""
        points, keys, ends = self._places
        # A row's key is (its point, its round of leaving): those above (point, t) are left.
        bounds = np.arange(len(points)) * (self.rounds + 2)
        bounds += validation.count("t", t, low=0, high=self.rounds)
        counts = ends - np.searchsorted(keys, bounds, side="right")
        some = counts > 0
        return points[some], counts[some]

    def _shares(self, t: int) -> tuple[np.ndarray, np.ndarray]:
        """The distinct points that are left after round t, and the share of each."""
        points, counts = self._counted(t)
        return points, counts / counts.sum()

    def directions(self) -> np.ndarray:
        """g_t/|g_t| (T,) by the recursion of eq (15) from G_0; 0 where g_t is 0."""
        away = self._slopes(self.start - self.points)
        n = len(away)
        total = away.sum()
        largest = np.abs(away).max()
        units = np.empty(self.rounds)
        order = np.argsort(self.deletions.removed_at[0], kind="stable")
        ends = np.cumsum(self.deletions.sizes[0])
        for t, leaving in enumerate(np.split(order, ends)[:-1]):
            total, n = total - away[leaving].sum(), n - len(leaving)
            units[t] = np.sign(total) if abs(total) > 1e-9 * n * largest else 0.0
        return units

    def run_safe(
        self, gamma: float, phi: float, trials: int, *, seed: int = 0, project: bool = False
    ) -> np.ndarray:
        """w_1..w_T (trials, T): w_0 - gamma g_t/|g_t| - N(0, phi), on [-W, W] if projected."""
        centers, sigma = self._centers(gamma, phi)
        flag("project", project)
        count = validation.count("trials", trials, low=1)
        noise = generator(seed, 0, 0, Purpose.PUBLICATION).standard_normal((count, self.rounds))
        w = centers - sigma * noise
        return np.clip(w, -self.radius, self.radius) if project else w

    def regrets(self, published: np.ndarray) -> np.ndarray:
        """sum_t R_t(w_t) - R_t(w_t*) of runs (trials, T)."""
        best, w = self.minimisers, _points(published, "published")
        if w.ndim != 2 or w.shape[1] != self.rounds:
            raise ValueError(
                f"published must have shape (trials, {self.rounds}), got shape {w.shape}"
            )
        each = [
            self.value(t, w[:, t - 1]) - self.value(t, best[t]) for t in range(1, self.rounds + 1)
        ]
        return np.asarray(np.sum(each, axis=0))

    def exact_regret(self, gamma: float, phi: float, *, project: bool = False) -> float:
        """The expectation of `regrets` of `run_safe`, in closed form."""
        centers, sigma = self._centers(gamma, phi)
        best, total = self.minimisers, 0.0
        flag("project", project)
        edge = self.radius if project else math.inf
        for t, m in enumerate(centers.tolist(), start=1):
            points, share = self._shares(t)
            if self.kind == "absolute":
                each = [self.lipschitz * mean_distance(m, sigma, x, edge) for x in points.tolist()]
            else:
                each = [0.5 * mean_square(m, sigma, x, edge) for x in points.tolist()]
            total += float(np.dot(each, share) - self.value(t, best[t]))
        return total

    def _centers(self, gamma: float, phi: float) -> tuple[np.ndarray, float]:
        step = validation.scalar("gamma", gamma, low=0.0, high_open=True)
        variance = validation.scalar("phi", phi, low=0.0, high_open=True)
        return self.start - step * self.directions(), math.sqrt(variance)


def _points(w: object, name: str = "w") -> np.ndarray:
    return validation.real(name, w, low_open=True, high_open=True)


def median_stream(rounds: int, c: float = 1.0, lipschitz: float = 1.0) -> LineStream:
    """T + 2 points at 0 and T + 1 at c > 0: all at 0 leave first, then one at c a round.

    w_0 = 0, every later w_t* = c = V_T, and SAFE stays at gamma: regret T U (c - gamma) without
    noise (against safe, Theorem 2(ii)).
    """
    T = validation.count("rounds", rounds, low=1)
    far = validation.scalar("c", c, low=0.0, low_open=True, high_open=True)
    points = np.repeat([0.0, far], [T + 2, T + 1])
    lists = [list(range(T + 2)), *([T + 1 + t] for t in range(1, T))]
    return LineStream(points, "absolute", given(len(points), lists), lipschitz, far)


def constant_risk(rounds: int, lipschitz: float = 1.0, radius: float = 1.0) -> LineStream:
    """T + 1 points at 0, one leaves a round: R_t = U|w| throughout, so V_T = 0 and g_t = 0."""
    T = validation.count("rounds", rounds, low=1)
    lists = [[t] for t in range(T)]
    return LineStream(np.zeros(T + 1), "absolute", given(T + 1, lists), lipschitz, radius)


@typed
def small_deletions(rounds: int, n: int, minority: int, c: float = 1.0) -> LineStream:
    """`minority` of n points at -c (n - minority)/minority leave first, then one at c a round.

    w_0 = 0 and every later w_t* = c, however small the share: squared losses, strongly convex and
    smooth (against safe, Theorem 2(ii)).  minority + rounds - 1 < n.
    """
    T = validation.count("rounds", rounds, low=1)
    rows = validation.count("n", n, low=T + 1)
    few = validation.count("minority", minority, low=1, high=rows - T)
    far = validation.scalar("c", c, low=0.0, low_open=True, high_open=True)
    points = np.repeat([-far * (rows - few) / few, far], [few, rows - few])
    lists = [list(range(few)), *([few + t] for t in range(T - 1))]
    return LineStream(points, "quadratic", given(rows, lists), 2.0 * far, far)
