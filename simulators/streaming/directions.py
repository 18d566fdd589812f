"""SAFE's gradients g_t of many trials, round by round: what w_0 and the deletions determine.

All model evaluations are at w_0, so they are made once for all trials and rounds; a trial's round
costs products with its forgotten rows only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch

from simulators.data.dataset import Dataset
from simulators.device.reporting import reporting_steps
from simulators.losses.softmax import Softmax
from simulators.streaming.forgetting import logit_gradient, own_class
from simulators.streaming.forgotten import Forgotten
from simulators.streaming.gradients import retention_step
from simulators.streaming.ratio import Density, log_label_ratio, log_ratio
from simulators.streaming.statistics import Moments, Sums, class_statistics
from simulators.streaming.variants import AlgorithmVariant


@dataclass(frozen=True, eq=False)
class BlockRound:
    """One round of a block of trials.

    removed (trials,): m_t.  retention, forgetting: the two gradients (trials, d, classes).
    moments: of every class, in coordinates z.  rows, counted (trials, columns): whose q was
    estimated; entries that `counted` has at 0 are padding.  log_q (trials, columns, classes).
    fitted (trials, classes): classes whose covariance gave a density.
    """

    t: int
    removed: torch.Tensor
    retention: torch.Tensor
    forgetting: torch.Tensor
    moments: Moments
    rows: torch.Tensor
    counted: torch.Tensor
    log_q: torch.Tensor
    fitted: torch.Tensor


class Directions:
    """Everything at w_0 that does not depend on the deletions, for one data set and variant."""

    def __init__(
        self,
        loss: Softmax,
        data: Dataset,
        w0: np.ndarray,
        features: np.ndarray,
        weight: float,
        variant: AlgorithmVariant,
        device: torch.device,
    ) -> None:
        def tensor(array: np.ndarray) -> torch.Tensor:
            return torch.tensor(array, dtype=torch.float64, device=device)

        self.variant, self.weight, self.device = variant, weight, device
        self.rows, self.z, self.w0 = tensor(data.features), tensor(features), tensor(w0)
        self.hot = tensor(loss.one_hot(data))
        self.labels = self.hot.argmax(dim=1)
        self.f = torch.softmax(self.rows @ self.w0, dim=1)
        self.residual = self.f - self.hot
        self.decay = loss.regularisation * self.w0
        self.start = (self.rows.T @ self.residual / len(self.rows) + self.decay)[None]
        count = self.hot.sum(dim=0)
        self.origins = self.hot.T @ self.z / count.clamp(min=1.0)[:, None]
        self.u = self.z - self.origins[self.labels]
        self.sums = Sums.over(self.u[None], self.hot[None])
        first = self.sums.moments(variant.ddof)
        self.scale = first.covariance[0].diagonal(dim1=-2, dim2=-1)
        self.first = Density.fit(first, self.scale)
        self.jacobian = variant.standardise != "per-round"
        # Every row under the laws of D_0: the denominators of all ratios.
        self.log_density = self.first.log_density(self.z[None], self.origins, self.jacobian)[0]

    def entries(self, width: int) -> int:
        """Numbers held per trial with so many forgotten rows."""
        d, classes = self.w0.shape
        q = self.z.shape[1]
        return width * (d + 2 * q + q * q + classes * (2 * q + 8)) + 8 * d * classes

    def rounds(self, removed_at: np.ndarray, rounds: int) -> Iterator[BlockRound]:
        """The rounds 1..T of trials with these removal times (trials, n)."""
        variant, trials = self.variant, len(removed_at)
        forgotten = Forgotten.of(removed_at, rounds, self.device)
        rows = forgotten.rows
        # X (trials, d, M), the others (trials, M, ...): M forgotten rows in order of their rounds.
        X, Z, U, Y = self.rows[rows].mT, self.z[rows], self.u[rows], self.hot[rows]
        residual, f, before = self.residual[rows], self.f[rows], self.log_density[rows]
        statistics = class_statistics(self._expanded(trials), variant.update, variant.ddof)
        sizes = torch.tensor(forgotten.sizes, dtype=torch.float64, device=self.device)
        row_counts = torch.full(
            (trials,), float(len(self.rows)), dtype=torch.float64, device=self.device
        )
        G, earlier = self.start.expand(trials, -1, -1), torch.zeros_like(self.start)
        for t in reporting_steps(range(1, rounds + 1)):
            columns, new = forgotten.leaving(t)
            m = sizes[:, t - 1]
            pull = torch.bmm(X[..., columns], residual[:, columns] * new[..., None])
            # A row's gradient has the ridge's part lambda w_0 as well: m rows take m of them along.
            G = retention_step(G, row_counts, pull + m[:, None, None] * self.decay, m)
            row_counts = row_counts - m
            statistics.remove(Sums.over(U[:, columns], Y[:, columns] * new[..., None]))
            moments = statistics.moments()
            density = Density.fit(moments, self.scale)
            label = log_label_ratio(moments.count, self.sums.count[0])
            label_counts = new
            # Every row gone so far, with q of this round; otherwise `columns` are this round's.
            if variant.scope == "all":
                columns, label_counts = forgotten.gone(t)
            now = density.log_density(Z[:, columns], self.origins, self.jacobian)
            log_q = log_ratio(label, density, self.first, now, before[:, columns])
            if variant.ratio == "own":
                log_q = own_class(log_q, self.labels[rows[:, columns]])
            slope = logit_gradient(f[:, columns], log_q) * label_counts[..., None]
            total = torch.bmm(X[..., columns], slope)
            # Rows of earlier rounds stay in with the q that they left with.
            if variant.scope == "estimated":
                earlier = total = earlier + total
            share = m if variant.scope == "round" else sizes[:, :t].sum(dim=1)
            yield BlockRound(
                t,
                m,
                G,
                total * (self.weight / share.clamp(min=1.0))[:, None, None],
                Moments(moments.count, moments.mean + self.origins, moments.covariance),
                rows[:, columns],
                label_counts,
                log_q,
                density.fitted & self.first.fitted,
            )

    def _expanded(self, trials: int) -> Sums:
        s = self.sums
        return Sums(
            s.count.expand(trials, -1),
            s.total.expand(trials, -1, -1),
            s.second.expand(trials, -1, -1, -1),
        )
