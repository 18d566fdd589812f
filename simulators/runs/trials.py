"""Runs whose trials are told of in pieces, and all of them in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from simulators.device.reporting import listener, reporting
from simulators.runs.trial_moments import (
    TrialMoments,
    TrialPieces,
    TrialStatistics,
    TrialValues,
)
from simulators.runs.trial_quantiles import MOMENTS, Search

MOST_TRIALS = 10**9


class RunInPieces(Protocol):
    """A run that tells of its trials what is kept of them, piece by piece."""

    @property
    def pieces(self) -> TrialPieces:
        """How its trials are cut."""

    def trial_values(self, piece: int) -> TrialValues:
        """What is measured of the trials of one piece."""

    def insist_on_finite(self, statistics: TrialStatistics) -> None:
        """ValueError where what is kept of a piece cannot be told of."""

    def told(self, statistics: TrialStatistics) -> dict[str, Any]:
        """Its document, of what is kept of all trials."""


class InOrder:
    """What is kept of trials, merged in the order of the pieces, whatever order they come in.

    Attributes:
        count: pieces that are merged.
        statistics: what is kept of them; None of none.
    """

    def __init__(self, count: int = 0, statistics: TrialStatistics | None = None) -> None:
        self.count, self.statistics = count, statistics
        self._waiting: dict[int, TrialStatistics] = {}

    def take(self, piece: int, statistics: TrialStatistics) -> None:
        """Merges this piece, and those that waited for it; it waits itself for earlier ones."""
        self._waiting[piece] = statistics
        while self.count in self._waiting:
            later = self._waiting.pop(self.count)
            self.statistics = later if self.statistics is None else self.statistics.merged(later)
            self.count += 1

    @property
    def all(self) -> TrialStatistics:
        """What is kept of all trials. Raises ValueError where there are none."""
        if self.statistics is None:
            raise ValueError("trials must be at least one, got none that has ended")
        return self.statistics


def statistics_of(run: RunInPieces, piece: int, search: Search = MOMENTS) -> TrialStatistics:
    """Of the trials of one piece: moments, and what a search for quantiles asks for.

    A search that goes on asks for counts alone: the moments are known.
    """
    values = run.trial_values(piece)
    moments = {}
    if search.begins:
        both = {**values.points, **values.numbers}
        moments = {quantity: TrialMoments.of(each) for quantity, each in both.items()}
    kept = TrialStatistics(moments, values.work)
    # Refused here, not after the last piece.
    run.insist_on_finite(kept)
    return replace(kept, counts=search.counts(values.numbers))


def statistics_of_all(
    run: RunInPieces,
    merged: InOrder | None = None,
    each: Callable[[int, TrialStatistics], object] | None = None,
    search: Search = MOMENTS,
) -> TrialStatistics:
    """Of all trials, one piece after another.

    merged: what earlier calls have; its next piece comes first.
    each: takes a piece and what is kept of it; None: `merged.take`.

    Whoever listens (`reporting`) is told of the steps of a single piece, or of trials.
    """
    pieces, progress = run.pieces, listener()
    merged = merged or InOrder()
    take = each or merged.take
    for piece in range(merged.count, pieces.count):
        take(piece, _quietly(run, piece, search))
        if progress is not None and pieces.count > 1:
            progress(pieces.first(piece) + pieces.length(piece), pieces.trials)
    return merged.all


def _quietly(run: RunInPieces, piece: int, search: Search) -> TrialStatistics:
    """Of one of several pieces without a word of its steps, which begin anew in every piece."""
    if run.pieces.count == 1:
        return statistics_of(run, piece, search)
    with reporting(_silent):
        return statistics_of(run, piece, search)


def _silent(done: int, total: int) -> None:
    """Takes what a loop tells."""
