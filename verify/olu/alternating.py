"""Linear losses on [0, 1] whose comparators keep changing sides: the worst case of Theorems 3 to 5.

f_t(z) = s_t z, plus a constant; blocks of losses of one sign drive the iterate to one end, and each
block starts with the comparator at the end where the iterate is not.  The sum of all losses has
the slope 1/2, so that removing one loss of slope +1 or -1 moves its minimiser across the domain.
Everything is deterministic once epsilon is so large that the noise cannot matter (`lost_to_noise`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Alternating:
    """Slopes s_1..s_T (multiples of 1/2, so that sums are exact), deleted rounds, their times."""

    slopes: Array
    indices: Array
    times: Array

    @property
    def rounds(self) -> int:
        """T."""
        return int(self.slopes.size)

    def comparators(self) -> Array:
        """z_0*..z_k*: the minimiser on [0, 1] of all losses without u_1..u_i."""
        removed = np.concatenate(([0.0], self.slopes[self.indices.astype(int) - 1]))
        slope_sums = self.slopes.sum() - np.cumsum(removed)
        if not slope_sums.all():
            raise ValueError("slopes must leave every sum with one minimiser")
        return np.where(slope_sums < 0, 1.0, 0.0)

    def growth(self, to_the_end: bool = False) -> float:
        """The largest kappa of Theorem 3's hypothesis at tau_1..tau_k (and tau_{k+1} = T).

        A sum with slope S has quadratic growth on [0, 1] with parameter 2|S| exactly.
        """
        ends = [0, *self.times.astype(int).tolist(), *([self.rounds] if to_the_end else [])]
        sums = np.concatenate(([0.0], np.cumsum(self.slopes)))
        return float(min(2 * abs(sums[b]) / (b - a) for a, b in pairwise(ends)))

    def served(self) -> Array:
        """The comparator of every round: z_i* for tau_i < t <= tau_{i+1}."""
        i = np.searchsorted(self.times, np.arange(1, self.rounds + 1), side="left")
        return self.comparators()[i]

    def regret(self, steps: Array | float) -> float:
        """Regret of projected descent from 1/2 with the given steps and no noise."""
        eta = np.broadcast_to(steps, self.rounds).tolist()
        z, total = 0.5, 0.0
        for s, e, v in zip(self.slopes.tolist(), eta, self.served().tolist(), strict=True):
            total += s * (z - v)
            z = min(1.0, max(0.0, z - e * s))
        return total

    def lost_to_noise(self, steps: Array | float, epsilon: float, omega: float = 1.2) -> float:
        """How far the paper's noise can change the expected regret.

        The maps do not expand, so noise xi_i changes every later loss by at most |xi_i|.
        """
        eta = np.broadcast_to(steps, self.rounds)[self.indices.astype(int) - 1]
        i = np.arange(1, self.times.size + 1)
        sigma = eta * np.sqrt(i**omega * omega / (2 * (omega - 1) * epsilon))
        return float(np.sum(np.sqrt(2 / np.pi) * sigma * (self.rounds - self.times + 1)))

    def inputs(self, epsilon: float) -> dict[str, object]:
        """What formulas ask for: D = L = d = 1."""
        moves = np.abs(np.diff(self.comparators()))
        return {
            "T": self.rounds,
            "k": self.times.size,
            "D": 1.0,
            "L": 1.0,
            "d": 1,
            "epsilon": epsilon,
            "u": self.indices.tolist(),
            "tau": self.times.tolist(),
            "path": moves.tolist(),
            "P": float(moves.sum()),
        }


def blocks(n: int, k: int, pairs: int = 0) -> Alternating:
    """n losses of slope 1, then k - 1 blocks of 2n with alternating signs, n more, and z/2.

    Each of the k blocks before a deletion ends with `pairs` pairs of opposite slopes, which cost
    long steps.  kappa = 1 without them (Theorem 3's hypothesis at tau_1..tau_k).
    """
    slopes: list[float] = []
    times = []
    for i in range(k):
        sign = float(1 - 2 * (i % 2))
        slopes += [sign] * (2 * n if i else n) + [-sign, sign] * pairs
        times.append(len(slopes))
    slopes += [float(2 * (k % 2 == 0) - 1)] * n + [0.5]
    tau = np.array(times)
    return Alternating(np.array(slopes), tau - 2 * pairs - 1, tau)


def at_an_end(rounds: int, indices: Sequence[float], times: Sequence[float]) -> Alternating:
    """Losses that push the iterate of steps 1/sqrt(t) off the end 0 and back, 0 best throughout.

    Every two of them cost a step; the last ones pull towards 0, more of them than are deleted.
    """
    z, slopes = 0.5, np.ones(rounds)
    for t in range(1, rounds - len(indices) - 1):
        slopes[t - 1] = -1.0 if z == 0 else 1.0
        z = min(1.0, max(0.0, z - slopes[t - 1] / math.sqrt(t)))
    return Alternating(slopes, np.asarray(indices, dtype=float), np.asarray(times, dtype=float))


def thirds(m: int, main: int) -> Alternating:
    """Prefix slopes +-3^m/2 at `main` (odd) deletions, then 3^m/6, 3^m/18, ..., 1/2 at T.

    kappa = 1 at every tau_i and at T: the last m - 1 deletions, of constant losses, close the
    stream by thirds.
    """
    N = 3**m
    slopes = [0.0] * (m - 1) + [0.5] + [1.0] * ((N - 1) // 2)
    times = [len(slopes)]
    for i in range(1, main):
        slopes += [float(1 - 2 * (i % 2))] * N
        times.append(len(slopes))
    indices = [t - 1 for t in times] + list(range(1, m))
    for j in reversed(range(m)):
        slopes += [-1.0] * 3**j
        times.append(len(slopes))
    return Alternating(np.array(slopes), np.array(indices), np.array(times[:-1]))


def pairs_and_drift(pairs: int) -> Alternating:
    """Slopes 1 (three), pairs (-1, 1), and enough of -1 to bring the iterate from 0 to 1.

    At steps 1/sqrt(t) each pair costs a step and the drift half of 1/step, 3 sqrt(T)/2 in all.  The
    comparator is 1 throughout: the last loss but one is removed in the last round.
    """
    drift = int(np.sqrt(2 * pairs)) + 10
    slopes = np.array([1.0] * 3 + [-1.0, 1.0] * pairs + [-1.0] * drift)
    return Alternating(slopes, np.array([slopes.size - 1]), np.array([slopes.size]))
