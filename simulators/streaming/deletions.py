"""Which rows leave in which round of a deletion stream, for all trials at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.random.seeds import Purpose, generator

BLOCK = 1 << 10
"""Trials whose orders come from one generator."""


@dataclass(frozen=True, eq=False)
class Deletions:
    """The stream F_1..F_T of safe, eq (4), in every trial: D_t = D_{t-1} without F_t.

    removed_at (trials, n): removed_at[r, i] = t in 1..T when row i leaves in round t of trial r,
    T + 1 when it never does; so a row leaves at most once (F_t is a subset of D_{t-1}, the
    hypothesis of safe, eq (11)).  rounds: T >= 1.  At least one row stays in every trial.

    Raises ValueError otherwise.
    """

    removed_at: np.ndarray
    rounds: int

    def __post_init__(self) -> None:
        T = validation.count("rounds", self.rounds, low=1)
        table = validation.integer("removed_at", self.removed_at, low=1, high=T + 1)
        if table.ndim != 2:
            raise ValueError(f"removed_at must have shape (trials, n), got shape {table.shape}")
        empty = np.flatnonzero((table <= T).all(axis=1))
        if len(empty):
            raise ValueError(
                f"removed_at must be {T + 1} for a row or more of every trial, so that one stays; "
                f"got none in trial {empty[0]}"
            )
        table.flags.writeable = False
        object.__setattr__(self, "rounds", T)
        object.__setattr__(self, "removed_at", table)

    @property
    def trials(self) -> int:
        """How many streams."""
        return len(self.removed_at)

    @property
    def n(self) -> int:
        """Rows before the first deletion, n_0."""
        return int(self.removed_at.shape[1])

    def kept(self, t: int) -> np.ndarray:
        """D_t as a mask (trials, n), t in 0..T."""
        mask: np.ndarray = self.removed_at > validation.count("t", t, low=0, high=self.rounds)
        return mask

    def forgotten(self, t: int) -> np.ndarray:
        """F_t as a mask (trials, n), t in 1..T.  All of F_1..F_t is the complement of kept(t)."""
        leaving: np.ndarray = self.removed_at == validation.count("t", t, low=1, high=self.rounds)
        return leaving

    @property
    def sizes(self) -> np.ndarray:
        """m_t = |F_t|, shape (trials, T)."""
        # Values 1..T + 1 in T + 2 bins for each trial: bin 0 is empty, the last holds what stays.
        width = self.rounds + 2
        flat = self.removed_at + width * np.arange(self.trials)[:, None]
        counts = np.bincount(flat.ravel(), minlength=width * self.trials)
        sizes: np.ndarray = counts.reshape(self.trials, width)[:, 1:-1]
        return sizes

    @property
    def remaining(self) -> np.ndarray:
        """n_t = |D_t| for t = 0..T, shape (trials, T + 1)."""
        totals = np.cumsum(self.sizes, axis=1)
        counts: np.ndarray = self.n - np.concatenate((np.zeros_like(totals[:, :1]), totals), axis=1)
        return counts

    def trial(self, r: int) -> Deletions:
        """The stream of trial r alone."""
        row = validation.count("r", r, low=0, high=self.trials - 1)
        return Deletions(self.removed_at[row : row + 1], self.rounds)


def random_subsets(
    n: int, sizes: ArrayLike, trials: int = 1, seed: int = 0, first_trial: int = 0
) -> Deletions:
    """F_t a uniformly random subset of D_{t-1} of size sizes[t-1], independently per trial.

    sizes (T,): integers >= 0 with a sum below n.  A trial's stream does not depend on how many
    trials are asked for; first_trial: trials before these, which others draw.  Raises ValueError
    out of range.
    """
    rows = validation.count("n", n, low=2)
    m = _sizes(sizes)
    total = sum(m.tolist())
    if not total < rows:
        raise ValueError(f"sizes must have a sum below n = {rows}, got {total}")
    rounds_of = np.repeat(np.arange(1, len(m) + 1), m)
    ranks = _orders(rows, trials, seed, first_trial)
    table = np.full(ranks.shape, len(m) + 1)
    # The first rows of a trial's random order leave, round after round.
    np.put_along_axis(table, ranks[:, : len(rounds_of)], rounds_of[None, :], axis=1)
    return Deletions(table, len(m))


def by_class(
    labels: ArrayLike,
    order: Sequence[int],
    size_per_round: ArrayLike,
    trials: int = 1,
    seed: int = 0,
    first_trial: int = 0,
) -> Deletions:
    """F_t a random subset of the rows that D_{t-1} has left of class order[t-1].

    labels (n,): class numbers >= 0.  order (T,): the class of every round, repeated as often as it
    lasts.  size_per_round: one number, or one per round.  A class that has fewer rows left gives
    all of them, and one that is exhausted none: a round may be smaller than asked for, or empty
    (safe, App. B.6-B.7: 20 rounds of 300 exhaust a class of 5923).
    Which rows of a class go first is random per trial, independently of how many trials are
    asked for; first_trial: trials before these, which others draw.

    Raises ValueError for arguments out of range, a class without rows, or a stream that leaves
    no row.
    """
    y = validation.integer("labels", labels, low=0)
    if y.ndim != 1:
        raise ValueError(f"labels must have shape (n,), got shape {y.shape}")
    classes = validation.integer("order", order, low=0)
    if classes.ndim != 1:
        raise ValueError(f"order must have shape (rounds,), got shape {classes.shape}")
    absent = np.setdiff1d(classes, y)
    if len(absent):
        raise ValueError(f"order must be classes that labels hold, got {absent[0]}")
    m = validation.integer("size_per_round", size_per_round, low=0)
    if m.shape not in ((), classes.shape):
        raise ValueError(
            f"size_per_round must be one number or {len(classes)} of them, got shape {m.shape}"
        )
    # More than all rows is as good as all of them, and keeps the repeats below small.
    m = np.broadcast_to(np.minimum(m, len(y)), classes.shape)
    ranks = _orders(len(y), trials, seed, first_trial)
    table = np.full(ranks.shape, len(classes) + 1)
    for label in np.unique(classes):
        mine = np.where(classes == label, m, 0)
        # In every trial the class has as many rows, so that they form a table again.
        members = y[ranks] == label
        own = ranks[members].reshape(len(ranks), -1)[:, : int(mine.sum())]
        rounds_of = np.repeat(np.arange(1, len(classes) + 1), mine)[: own.shape[1]]
        np.put_along_axis(table, own, rounds_of[None, :], axis=1)
    return Deletions(table, len(classes))


@typed
def given(n: int, requests: Sequence[Sequence[int]], trials: int = 1) -> Deletions:
    """F_t = requests[t-1] without what has left already (safe, Alg. 1: F_t & D_{t-1}).

    requests: T lists of row numbers 0..n-1, which may be empty; a number that occurs again, in
    the same round or later, is ignored.  trials: how many equal copies.
    Raises ValueError for other numbers, or when no row stays.
    """
    rows = validation.count("n", n, low=1)
    try:
        lists = [list(one) for one in requests]
    except TypeError:
        raise ValueError(f"requests must be lists of row numbers, got {requests!r}") from None
    if not lists:
        raise ValueError("requests must be one list per round, got none")
    row = np.full(rows, len(lists) + 1)
    # Backwards, so that the first request for a row is written last.
    for t, one in reversed(list(enumerate(lists, start=1))):
        if one:
            row[validation.integer("requests", one, low=0, high=rows - 1)] = t
    if (row <= len(lists)).all():
        raise ValueError(f"requests must be such that a row stays, got all {rows}")
    copies = validation.count("trials", trials, low=1)
    return Deletions(np.tile(row, (copies, 1)), len(lists))


def _sizes(sizes: ArrayLike) -> np.ndarray:
    m = validation.integer("sizes", sizes, low=0)
    if m.ndim != 1:
        raise ValueError(f"sizes must have shape (rounds,), got shape {m.shape}")
    return m


def _orders(n: int, trials: int, seed: int, first_trial: int) -> np.ndarray:
    """A random permutation per trial (trials, n), drawn one trial after the other."""
    count = validation.count("trials", trials, low=1)
    begin = validation.count("first_trial", first_trial, low=0)
    # A generator serves BLOCK trials: a trial has the same keys for any number of trials after it,
    # and they are at hand without those of the blocks before.
    blocks = range(begin // BLOCK, (begin + count - 1) // BLOCK + 1)
    orders = np.empty((count, n), dtype=np.int64)
    for block in blocks:
        low, high = max(begin, block * BLOCK), min(begin + count, (block + 1) * BLOCK)
        drawn = generator(seed, 0, block, Purpose.DELETIONS).random((high - block * BLOCK, n))
        keys = drawn[low - block * BLOCK :]
        orders[low - begin : high - begin] = np.argsort(keys, axis=1, kind="stable")
    return orders
