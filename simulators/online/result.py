"""What a run of an online learner returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from accounting.numerics.arguments import typed


@dataclass(frozen=True, eq=False)
class OnlineResult:
    """Losses, regret, and iterates; the first run is the learner whose losses are suffered.

    regret (trials,): sum_t f_t(w_t) - f_t(z*_{i(t)}), i(t) = #{i: tau_i < t} (olu eq 5); regret
    against z_0* throughout is `constant_regret`.  None when no comparators were asked for.
    total_loss (trials,).  losses (trials, T): None unless kept.  comparator_losses (T,).
    comparators (k + 1, d).
    runs: m for each run, which never had the losses u_1..u_m (0: the learner).
    published (runs, trials, k, d): w_{tau_i} as played, after the i-th request was served.
    final (runs, trials, d): w_{T+1}.
    squared_gradients (trials, T) of the first run: None unless kept.
    gradient_evaluations: per trial of the first run, by purpose ("learn", "unlearn",
    "retrain").
    noise_variance: sum_i sigma_i^2, the mean over trials where they differ.
    settings: everything needed to run it again, besides the stream.
    """

    regret: np.ndarray | None
    constant_regret: np.ndarray | None
    total_loss: np.ndarray
    losses: np.ndarray | None
    comparator_losses: np.ndarray | None
    comparators: np.ndarray | None
    runs: tuple[int, ...]
    published: np.ndarray
    final: np.ndarray
    squared_gradients: np.ndarray | None
    gradient_evaluations: Mapping[str, int]
    noise_variance: float
    settings: Mapping[str, Any] = field(default_factory=dict)

    @typed
    def run_without(self, skipped: int) -> np.ndarray:
        """published (trials, k, d) of the run without u_1..u_`skipped`; ValueError if absent."""
        if skipped not in self.runs:
            raise ValueError(f"skipped must be one of the runs {self.runs}, got {skipped!r}")
        return np.asarray(self.published[self.runs.index(skipped)])

    @typed
    def distances(self, skipped: int | None = None) -> np.ndarray:
        """|w_{tau_i} - w'_{tau_i}| (trials, k) between the first run and another (the last)."""
        other = self.published[-1] if skipped is None else self.run_without(skipped)
        return np.asarray(np.linalg.norm(self.published[0] - other, axis=2))

    @typed
    def mean_regret(self, moving: bool = True) -> tuple[float, float]:
        """Sample mean and standard error of the regret (error 0 where trials agree)."""
        values = self.regret if moving else self.constant_regret
        if values is None:
            raise ValueError("regret needs comparators: run with compare=True")
        if np.ptp(values) == 0:
            return float(values[0]), 0.0
        return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))
