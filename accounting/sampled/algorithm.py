"""Noisy SGD on sampled batches of clipped gradients, as Opacus and its kind run it, as a value.

    x_k = proj( x_{k-1} - (eta_k/B) sum_{i in batch_k} clip_C(g_i) - eta_k lambda x_{k-1} + s_k W ),
    s_k = eta_k sigma_k C/B,

so sigma is the noise multiplier: noise sigma C on the sum of the batch, divided by B, which is
fixed (the expected size under Poisson sampling).  The ridge lambda is outside the clip.  Losses are
convex functions of one scalar prediction, for which a clipped gradient is the gradient of a convex
function of no more smoothness L_0; so a step on m rows is c(m)-Lipschitz with

    c(m) = max(|1 - eta lambda|, |1 - eta (lambda + m L_0/B)|).

N steps of training see the rows that are later deleted, K steps of unlearning do not.

A row in question whose gradient is at most g C along the path of the run that has it, whatever the
noise and the batches, moves a step by g eta C/B in place of eta C/B (`row_share`).  Proof.  Let X
have the row and X' not, and give both the same noise, Y starting at X'_0 with the maps of X', moved
after every step by at most a_k towards X.  As the row's gradient g_k is taken at X_{k-1} alone,

    |psi'_k(Y_{k-1}) - psi_k(X_{k-1})| <= c_k |Y_{k-1} - X_{k-1}| + (eta_k/B) |g_k(X_{k-1})|,

so the distance after it is at most c_k z_{k-1} + g eta_k C/B - a_k for every outcome: nothing else
is used of the shift (`contraction`).  Where both runs have a row, Y is moved along X' and its laws
and those of X' have the same null sets, so what holds on the path of X' holds on that of Y.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from accounting.curves.discrete_sums import Array
from accounting.numerics.validation import choice, count, scalar
from accounting.sampled._checks import check, check_publications
from accounting.sampled.changed_data import unlike
from accounting.sampled.schedules import RESIZING, Schedules

SAMPLING = ("poisson", "fixed", "shuffled", "cyclic", "full")
ADJACENCY = ("zero-out", "delete", "add", "replace")
REFERENCES = ("T+K", "T", "stationary")
MOST_STEPS = 10**6
_OWED = 1e-8  # of delta, the most that rare batches may cost
_SCHEDULES = ("step_size", "noise_profile", "rate", "rate_without", "rows", "row_share")


@dataclass(frozen=True, kw_only=True, eq=False)
class SampledSGD(Schedules):
    """Constants of training and unlearning; sigma is given with each question.

    Attributes:
        n: rows that are sampled from, those in question among them.
        batch_size: B; expected under Poisson sampling, the largest batch of an epoch otherwise.
        steps, unlearning_steps: N and K.
        step_size: eta, a number or one for each of the N + K steps.
        smoothness: L_0, of the loss of a row as a function of the weights.
        ridge: lambda, outside the clip.
        noise_profile: what multiplies sigma, a number or one for each step.
        rate: of Poisson sampling, a number or one for each step; B/n by default, and with "delete"
            and "add" B over the number of rows that a run then has.
        rate_without: given with `rate`, that of the run without the rows in question.
        unlearning_rate: of the unlearning steps of a deletion, where it is not that of retraining.
        sampling: "poisson", "fixed" (B rows without replacement), "shuffled" (every epoch anew),
            "cyclic" (one order for all epochs), "full".
        adjacency: "zero-out" (the other run has the rows, and counts their gradients as 0),
            "delete", "add" (the other run draws from fewer rows: `accounting.sampled.changed_data`)
            or "replace".
        reference: the same algorithm without the rows for N + K steps ("T+K") or for N ("T"), or
            without end ("stationary").
        diameter: of the domain, onto which every step projects.
        rows: how many rows differ, a number or, for each step, those then in the data.
        row_share: the gradient of each of these is at most this part of C along the path, whatever
            the noise and the batches; a number in [1e-9, 1] or one for each step.
        published: after how many steps, besides the last, the model is published too, ascending;
            all that is published is then seen together, with reference "T+K".

    The clip C cancels: shifts and noise are counted in eta C/B.  Raises ValueError naming the
    parameter outside its range.
    """

    def __post_init__(self) -> None:
        n = count("n", self.n, low=2)
        count("batch_size", self.batch_size, low=1, high=n)
        count("steps", self.steps, low=1, high=MOST_STEPS)
        count("unlearning_steps", self.unlearning_steps, low=0, high=MOST_STEPS)
        scalar("smoothness", self.smoothness, low=0.0, high_open=True)
        scalar("ridge", self.ridge, low=0.0, high_open=True)
        scalar("diameter", self.diameter, low=0.0, low_open=True)
        choice("sampling", self.sampling, SAMPLING)
        choice("adjacency", self.adjacency, ADJACENCY)
        choice("reference", self.reference, REFERENCES)
        _ = self.share  # for its refusals
        check(self)
        reference = self.rates if self.adjacency == "add" else self.rates_without
        alike = all(bool((each == each[0]).all()) for each in (self.eta, self.profile, reference))
        if self.reference != "T+K" and math.isinf(self.diameter):
            raise ValueError(f"diameter must be finite with reference {self.reference!r}, got inf")
        if self.reference == "T":
            if not (alike and self.one_row):
                raise ValueError("reference must not be 'T' where the steps differ, got 'T'")
            if self.sampling in ("shuffled", "cyclic") and self.unlearning_steps % self.epoch:
                raise ValueError(
                    f"unlearning_steps must be whole epochs of {self.epoch} steps against 'T', "
                    f"got {self.unlearning_steps}"
                )
        check_publications(self)

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        """Equal for settings with the same answers."""
        # Fields may be arrays, which are not hashable: their bytes stand for them.
        arrays = [np.asarray(getattr(self, each.name)) for each in fields(self)]
        return tuple((a.dtype.str, a.tobytes() if a.ndim else a.tolist()) for a in arrays)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SampledSGD) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def moved(self, kappa: float) -> Array:
        """By how much a row in question moves each step, in units of eta C/B.

        kappa: 1 where it comes or goes alone; 2 where it is exchanged, for another row in question
        or, in a batch of fixed size, for any row.
        """
        k = scalar("kappa", kappa, low=1.0, high=2.0)
        if self.sampling == "fixed" and self.adjacency in RESIZING:
            return self.share + (k - 1)
        return k * self.share

    @property
    def exchange(self) -> float:
        """kappa of a row that comes or goes: in a batch of fixed size another takes its place."""
        return 2.0 if self.sampling == "fixed" and self.adjacency in RESIZING else 1.0

    def with_unlearning(self, unlearning_steps: int) -> SampledSGD:
        """The same with so many unlearning steps; ValueError where a field has one value a step.

        But of `row_share` the training steps are kept.
        """
        for name in _SCHEDULES[:-1]:
            if np.ndim(getattr(self, name)) > 0:
                raise ValueError(f"{name} must be a single number here, got one for each step")
        share: ArrayLike = self.row_share
        if np.ndim(share) > 0:
            share = np.pad(self.share[: self.steps], (0, unlearning_steps), mode="edge")
        return replace(self, unlearning_steps=unlearning_steps, row_share=share)

    def training_alone(self) -> SampledSGD:
        """The steps up to the last that sees the rows in question, the last published alone."""
        there = np.flatnonzero(self.present)
        return self._part(0, int(there[-1]) + 1 if there.size else 1)

    def intervals(self) -> list[SampledSGD]:
        """The steps between two publications where the runs differ, or the first."""
        ends = [0, *map(int, self.published), self.length]
        # An interval in which the runs are the same costs nothing.
        differ = (self.present > 0) | (self.rates != self.rates_without)
        pairs = [(a, b) for a, b in pairwise(ends) if differ[a:b].any()]
        return [self._part(first, end) for first, end in pairs or [(0, ends[1])]]

    def _part(self, first: int, end: int) -> SampledSGD:
        """Some of the steps, from a start that is the same in both runs."""
        there = np.flatnonzero(self.present[first:end])
        # A setting has at least one training step, also where no row is present.
        training_steps = int(there[-1]) + 1 if there.size else 1

        def cut(name: str) -> object:
            value = getattr(self, name)
            return value if value is None or np.ndim(value) == 0 else np.asarray(value)[first:end]

        arrays: dict[str, Any] = {name: cut(name) for name in _SCHEDULES}
        if unlike(self):
            arrays |= {"rate": self.rates[first:end], "rate_without": self.rates_without[first:end]}
            arrays["unlearning_rate"] = None
            arrays["rows"] = self.rows if self.adjacency == "add" else self.present[first:end]
        unlearning = end - first - training_steps
        return replace(
            self, steps=training_steps, unlearning_steps=unlearning, published=(), **arrays
        )

    def most_rows(self, delta: float) -> tuple[int, float]:
        """The largest batch that is counted on, and the probability that some batch is larger."""
        spare = _OWED * scalar("delta", delta, low=0.0, high=1.0, low_open=True, high_open=True)
        if self.sampling == "full":
            return self.n, 0.0
        if self.sampling != "poisson":
            return self.batch_size, 0.0
        rate = float(max(self.rates.max(), self.rates_without.max()))
        free = self.free_rows
        if free >= self.n:
            return self.n, 0.0
        low, high = max(free, 0), self.n
        while low < high:
            middle = (low + high) // 2
            if self.length * float(scipy.special.bdtrc(middle, self.n, rate)) <= spare:
                high = middle
            else:
                low = middle + 1
        # A union over the steps; 1e-6 is for the rounding of bdtrc.
        beyond = float(scipy.special.bdtrc(low, self.n, rate)) if low < self.n else 0.0
        return low, self.length * beyond * (1 + 1e-6)

    @property
    def free_rows(self) -> int:
        """The largest m with c(m) = 1 - eta lambda in every step; n at most, -1 if none."""
        eta = float(self.eta.max())
        # eta (lambda + m L_0/B) - 1 <= 1 - eta lambda, solved for m L_0.
        room = (2 / eta - 2 * self.ridge) * self.batch_size * (1 - 2.0**-50)
        if not room >= 0:
            return -1
        # Also where the smoothness is 0, which must not divide.
        return self.n if room >= self.n * self.smoothness else math.floor(room / self.smoothness)

    def contraction(self, rows: int) -> Array:
        """c(m) of every step for a batch of so many rows, rounded up."""
        count("rows", rows, low=0, high=self.n)
        steep = self.ridge + rows * self.smoothness / self.batch_size * (1 + 2.0**-50)
        lazy, eager = np.abs(1 - self.eta * self.ridge), np.abs(1 - self.eta * steep)
        # Up to `free_rows` the lazy end is the larger one for certain, whatever rounding says.
        factor: Array = np.maximum(lazy, np.where(rows > self.free_rows, eager, 0.0))
        return factor * (1 + 2.0**-50) + 2.0**-54
