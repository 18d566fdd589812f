"""Learning and retraining on a line, many problems at once: exact left sides for hf's drift claims.

Losses of one parameter with gradients g_i(w) = h_i (w - c_i) + s_i sin(w + p_i), so that Hessians
lie in [h_i - |s_i|, h_i + |s_i|] and are |s_i|-Lipschitz; s = 0 gives quadratics.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Rng = np.random.Generator
Row = tuple[float, ...]


@dataclass(frozen=True)
class LineRuns:
    """Iterates (N, T + 1) of N problems, their approximators, and the constants of each.

    `kept`, `batch`: A_t of the set U for the two Hessians.  `each`: A^u_t of the leave-one-out
    form for every sample, (N, n, T + 1), zero for samples outside U.
    """

    learned: Array
    retrained: Array
    kept: Array
    batch: Array
    each: Array
    C: Array
    C_learned: Array
    C_kept: Array

    @property
    def largest(self) -> Array:
        """Bound on all gradients met on both trajectories."""
        return np.maximum(self.C, self.C_kept)

    @property
    def drift(self) -> Array:
        """|v_t - w_t|."""
        return np.abs(self.retrained - self.learned)

    def error(self, hessian: str) -> Array:
        """|v_t - w_t - A_t|."""
        found = self.kept if hessian == "kept" else self.batch
        return np.abs(self.retrained - self.learned - found)


@dataclass(frozen=True)
class LineProblems:
    """N problems of n samples and T steps.

    slope, centre, wave, phase: (N, n); member: (N, T, n), who is in which batch; steps: (N, T);
    gone: (N, n), who is forgotten; start: (N,).
    """

    slope: Array
    centre: Array
    wave: Array
    phase: Array
    member: Mask
    steps: Array
    gone: Mask
    start: Array

    @property
    def lam(self) -> Array:
        return np.asarray((self.slope - np.abs(self.wave)).min(axis=1))

    @property
    def M(self) -> Array:
        return np.asarray(np.maximum((self.slope + np.abs(self.wave)).max(axis=1), 0.0))

    @property
    def Lam(self) -> Array:
        return np.asarray(np.abs(self.wave).max(axis=1))

    @property
    def sizes(self) -> Array:
        return np.asarray(self.member.sum(axis=2).astype(float))

    @property
    def hits(self) -> Mask:
        """(N, T, n): the forgotten samples of every batch."""
        return self.member & self.gone[:, None, :]

    @property
    def missing(self) -> Array:
        return np.asarray(self.hits.sum(axis=2).astype(float))

    @property
    def schedule(self) -> tuple[Array, Array, Array]:
        """Steps, m_t and b_t, as the certificates take them."""
        return self.steps, self.missing, self.sizes

    @property
    def curvature(self) -> tuple[Array, Array, Array]:
        """lam, M and Lam."""
        return self.lam, self.M, self.Lam

    def gradients(self, w: Array) -> Array:
        angle = w[:, None] + self.phase
        return np.asarray(self.slope * (w[:, None] - self.centre) + self.wave * np.sin(angle))

    def hessians(self, w: Array) -> Array:
        return np.asarray(self.slope + self.wave * np.cos(w[:, None] + self.phase))

    def run(self) -> LineRuns:
        """Both trajectories on the same slots ("linear" scaling) and all approximators."""
        count, T, n = self.member.shape
        w, v, kept_stat, batch = (np.zeros((count, T + 1)) for _ in range(4))
        each = np.zeros((count, n, T + 1))
        w[:, 0] = v[:, 0] = self.start
        hits, sizes = self.hits, self.sizes
        tops = np.zeros((3, count))  # |g_u| on both, |g_u| on the learned, |g_i| kept on both
        for t in range(T):
            here, hit = self.member[:, t], hits[:, t]
            stay = here & ~self.gone
            rate = self.steps[:, t] / sizes[:, t]
            g = self.gradients(w[:, t])
            H = self.hessians(w[:, t])
            after = self.gradients(v[:, t])
            arrival = rate[:, None] * g * hit
            w[:, t + 1] = w[:, t] - rate * (g * here).sum(axis=1)
            v[:, t + 1] = v[:, t] - rate * (after * stay).sum(axis=1)
            kept_stat[:, t + 1] = kept_stat[:, t] * (
                1 - rate * (H * stay).sum(axis=1)
            ) + arrival.sum(axis=1)
            after_batch = 1 - rate * (H * here).sum(axis=1)
            batch[:, t + 1] = batch[:, t] * after_batch + arrival.sum(axis=1)
            others = (H * here).sum(axis=1, keepdims=True) - H * here
            each[:, :, t + 1] = each[:, :, t] * (1 - rate[:, None] * others) + arrival
            tops[0] = np.maximum(tops[0], (np.maximum(np.abs(g), np.abs(after)) * hit).max(axis=1))
            tops[1] = np.maximum(tops[1], (np.abs(g) * hit).max(axis=1))
            tops[2] = np.maximum(tops[2], (np.maximum(np.abs(g), np.abs(after)) * stay).max(axis=1))
        each *= self.gone[:, :, None]
        return LineRuns(w, v, kept_stat, batch, each, *tops)


def random_problems(
    rng: Rng, count: int, *, waves: float = 1.0, convex: bool = False, geometric: bool = False
) -> LineProblems:
    """Problems of 2-5 samples in epochs of shuffled batches; quadratics at waves = 0.

    convex: Hessians >= 0 and eta_t M <= 2; otherwise of any sign, steps up to 2.5/max|H|.
    geometric: eta_t = eta q^t.
    """
    n, T = int(rng.integers(2, 6)), 8
    b = int(rng.integers(1, n + 1))
    wave = waves * rng.exponential(size=(count, n)) * rng.integers(0, 2, (count, n))
    slope = wave + rng.exponential(size=(count, n)) if convex else rng.normal(size=(count, n))
    orders = [np.argsort(rng.random((count, n)), axis=1) for _ in range(T)]
    cuts = [orders[e][:, i : i + b] for e in range(T) for i in range(0, n, b)][:T]
    member = np.zeros((count, T, n), dtype=bool)
    for t, rows in enumerate(cuts):
        np.put_along_axis(member[:, t], rows, True, axis=1)
    top = (np.abs(slope) + np.abs(wave)).max(axis=1, keepdims=True)
    steps = rng.uniform(0.02, 2.0 if convex else 2.5, (count, T)) / top
    if geometric:
        steps = steps[:, :1] * rng.uniform(0.3, 1.0, (count, 1)) ** np.arange(T)
    deletions = rng.random((count, n)) < rng.uniform(0.1, 0.9, (count, 1))
    deletions[np.arange(count), rng.integers(0, n, count)] = True
    centre = rng.normal(size=(count, n)) * 2
    phase = rng.uniform(0, 6, (count, n))
    return LineProblems(
        slope, centre, wave, phase, member, steps, deletions, rng.normal(size=count)
    )


def certain(left: Array, runs: LineRuns) -> Array:
    """The part of `left` that is not rounding: differences of iterates lose absolute digits."""
    size = 1 + np.abs(runs.learned).max(axis=1) + np.abs(runs.retrained).max(axis=1)
    size = size + np.abs(runs.each).max(axis=(1, 2)) + np.abs(runs.batch).max(axis=1)
    slack = 1e-11 * size.reshape(-1, *[1] * (left.ndim - 1))
    return np.asarray(np.maximum(left - slack, 0.0))


def quadratics(
    slope: Row, centre: Row, steps: Array, start: float = 0.0, batches: Any = None, gone: Any = (0,)
) -> LineProblems:
    """One problem of quadratics; batches: a tuple of rows for each step, whole ones by default."""
    n, T = len(slope), len(steps)
    member = np.zeros((1, T, n), dtype=bool)
    for t in range(T):
        member[0, t, list(batches[t]) if batches else slice(None)] = True
    leaving = np.zeros((1, n), dtype=bool)
    leaving[0, list(gone)] = True
    slopes, centres, steps = (np.array([x], dtype=float) for x in (slope, centre, steps))
    flat = np.zeros((1, n))
    return LineProblems(
        slopes, centres, flat, flat, member, steps, leaving, np.array([float(start)])
    )


def two_points(eta: float, q: float, T: int, curvature: float = 1.0) -> LineRuns:
    """l_u = a(w - 1)^2/2, l_r = a(w + 1)^2/2 from 0, whole batches, eta_t = eta q^t: hf's bane.

    The learned run stays at 0; the retrained one goes to -1 as far as the steps carry it.
    """
    return quadratics((curvature,) * 2, (1.0, -1.0), eta * q ** np.arange(T)).run()
