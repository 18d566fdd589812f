"""The forgotten rows of a block of trials, in the order in which they leave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch


@dataclass(frozen=True, eq=False)
class Forgotten:
    """Rows that leave in rounds 1..T, sorted by round, then by number; padded to one length.

    rows (trials, M): row numbers, 0 where padded.  rounds (trials, M): the round in which each
    leaves, T + 1 where padded.  ends (T + 1,): no trial's F_1..F_t goes beyond column ends[t].
    starts (T + 1,): no trial's F_t begins before column starts[t] (index 0 unused).
    sizes (trials, T): m_t.
    """

    rows: torch.Tensor
    rounds: torch.Tensor
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    sizes: np.ndarray

    @classmethod
    def of(cls, removed_at: np.ndarray, rounds: int, device: torch.device) -> Forgotten:
        """From removal times (trials, n) in 1..rounds + 1."""
        order = np.argsort(removed_at, axis=1, kind="stable")
        when = np.take_along_axis(removed_at, order, axis=1)
        # |F_1| + ... + |F_t| of every trial, t = 0..T.
        totals = np.stack([(removed_at <= t).sum(axis=1) for t in range(rounds + 1)], axis=1)
        # At least one column, of padding, so that no table is empty.
        width = max(1, int(totals[:, -1].max()))
        when = when[:, :width]
        rows = np.where(when <= rounds, order[:, :width], 0)
        return cls(
            torch.tensor(rows, device=device),
            torch.tensor(when, device=device),
            (0, *totals[:, :-1].min(axis=0).tolist()),
            tuple(totals.max(axis=0).tolist()),
            np.diff(totals, axis=1),
        )

    def leaving(self, t: int) -> tuple[slice, torch.Tensor]:
        """Columns that hold every trial's F_t, and which of them do: (trials, columns), 0 or 1."""
        columns = slice(self.starts[t], self.ends[t])
        return columns, (self.rounds[:, columns] == t).to(torch.float64)

    def gone(self, t: int) -> tuple[slice, torch.Tensor]:
        """The same of F_1..F_t."""
        columns = slice(0, self.ends[t])
        return columns, (self.rounds[:, columns] <= t).to(torch.float64)
