"""DP-SGD on rows, then further steps without some of them: what many runs end at.

    w <- proj( w - (eta/B) (sum over the batch of clip_C(gradient) + deviation N(0, I))
               - eta lambda w )

Rows enter a batch by draws of their own.  All runs have the same batches, and noise of their own:
two of them differ by what noise alone does.  The rows that leave are the first ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simulators.data.lengths import row_lengths
from simulators.device.reporting import reporting_steps
from simulators.random.seeds import Purpose, generator

if TYPE_CHECKING:
    from accounting.problems import SampledDescent
    from simulators.runs.bounded import Bounded

Array = np.ndarray


def covers(problem: Any) -> bool:
    """Whether these steps are those of the problem: Poisson batches, one request that deletes."""
    return (
        getattr(problem, "sampling", None) == "poisson"
        and problem.adjacency in ("zero-out", "delete")
        and problem.requests == 1
    )


def last_models(
    task: Bounded,
    problem: SampledDescent,
    lengths: Sequence[int],
    deviations: Sequence[float],
    trials: int,
) -> Array:
    """The models (len(lengths), trials, d) after training and so many further steps.

    lengths: K, ascending.  deviations: of the noise on the sum of a batch, one for each K.  The
    loss of the task is one of a linear score.
    """
    steps = ClippedSteps(task, problem)
    batches = generator(task.seed, 0, 0, Purpose.BATCHES)
    noise = generator(task.seed, 0, 0, Purpose.NOISE)
    state = np.zeros((steps.dimension, len(lengths) * trials))
    deviation = np.repeat(np.asarray(deviations, dtype=float), trials)
    models = np.empty((len(lengths), trials, steps.dimension))
    finished = 0
    for t in reporting_steps(range(problem.steps + lengths[-1])):
        first = 0 if t < problem.steps else problem.rows
        normal = noise.standard_normal(state.shape)
        state = steps.step(state, steps.batch(batches, first), deviation * normal)
        # Runs that are done leave the state, those of the fewest steps first.
        while finished < len(lengths) and t + 1 == problem.steps + lengths[finished]:
            models[finished] = state[:, :trials].T
            state, deviation = state[:, trials:], deviation[trials:]
            finished += 1
    return models


class ClippedSteps:
    """One step for many models at once, a column each."""

    def __init__(self, task: Bounded, problem: SampledDescent) -> None:
        data, self._loss = task.parts[0], task.made
        self._problem, self._rows = problem, data.features
        self._sign, self._offset = self._loss.signs(data)  # type: ignore[attr-defined]
        with np.errstate(divide="ignore"):
            # A row's gradient is its slope times the row; a row of zeros has none to clip.
            self._cap = problem.clip / row_lengths(data.features)

    @property
    def dimension(self) -> int:
        """d."""
        return int(self._rows.shape[1])

    def batch(self, random: np.random.Generator, first: int) -> Array:
        """The rows of a batch, each from the place `first` on by a draw of its own."""
        n = len(self._rows) - first
        rate = self._problem.rate
        assert rate is not None
        count = random.binomial(n, rate)
        chosen: Array = first + random.choice(n, count, replace=False, shuffle=False)
        return chosen

    def step(self, state: Array, rows: Array, noise: Array) -> Array:
        """The state (d, models) after a step with this noise (d, models) on the sum."""
        import torch

        problem, x = self._problem, self._rows[rows]
        if self._sign is not None:
            x = x * self._sign[rows, None]
        score = x @ state
        if self._offset is not None:
            score -= self._offset[rows, None]
        slope = self._loss.slope_(torch.from_numpy(score)).numpy()  # type: ignore[attr-defined]
        cap = self._cap[rows, None]
        total = x.T @ slope.clip(-cap, cap) + noise
        eta = problem.step_size
        moved: Array = (1 - eta * problem.ridge) * state - eta / problem.batch_size * total
        return moved if math.isinf(problem.diameter) else _within(moved, problem.diameter / 2)


def _within(state: Array, radius: float) -> Array:
    """Every column in the ball around 0."""
    lengths = np.linalg.norm(state, axis=0)
    shorter: Array = state * np.minimum(1.0, radius / np.maximum(lengths, 1e-300))
    return shorter
