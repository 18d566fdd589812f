"""When the rows in question may be in a batch, and what that shifts at the end of the chain.

Steps are transported to the end: S_k = c_{k+1}...c_T, the clock x_k = sum_{l<=k} s_l^2 S_l^2, and a
row in the batch of step k raises the obstacle by w_k = kappa_k eta_k S_k/B, kappa_k what it moves
the step by (`SampledSGD.moved`).  A block is a step, or an epoch of which one position is drawn;
its outcomes are independent of other blocks.  All is for C = sigma = 1, so that every mu is divided
by sigma.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy
from numpy.typing import NDArray

from accounting.curves.discrete_sums import Array, Term
from accounting.sampled.algorithm import SampledSGD
from accounting.sampled.schedules import RESIZING

Index = NDArray[np.int64]
_ULP = 2.0**-52


@dataclass(frozen=True, eq=False)
class Inclusions:
    """Blocks b with outcomes o: shift[b, o] with chance[b, o], none with zero[b].

    Attributes:
        paid: what each outcome adds to mu when it pays for itself, from where it is on.
        clock: of every step, its s^2 S^2.
        start: what is due from the beginning.
        stepwise: whether a block is a step.
        error: relative, of all of them.
        late: of an epoch, the part of every shift but the last that comes in its last batch.
    """

    shift: Array
    chance: Array
    zero: Array
    paid: Array
    clock: Array
    start: float
    stepwise: bool
    error: float
    late: Array = field(default_factory=lambda: np.zeros(0))
    total: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", float(self.clock.sum()))

    @cached_property
    def _key(self) -> tuple[object, ...]:
        arrays = (self.shift, self.chance, self.zero, self.paid, self.clock, self.late)
        return (*(each.tobytes() for each in arrays), self.start, self.stepwise, self.error)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inclusions) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def some(self) -> float:
        """The chance that anything shifts at all, rounded up; 1 where something is due."""
        if self.start > 0 or (self.zero <= 0).any():
            return 1.0
        # 1 - prod zero; by logarithms, as zeros near 1 leave a small difference.
        return -math.expm1(float(np.log(self.zero).sum())) * (1 + self.error)

    @property
    def linear(self) -> Term:
        """The law of the linear instance, every value rounded down."""
        values = self.shift / np.sqrt(self.total) / (1 + self.error)
        return Term(values, self.chance, self.zero)

    @property
    def straight(self) -> Term:
        """The same rounded up, with what is due."""
        return self._due(self.shift / np.sqrt(self.total))

    @property
    def additive(self) -> Term:
        """Every inclusion pays for itself, and so does what is due: a bound for every pattern."""
        return self._due(self.paid)

    def _due(self, paid: Array) -> Term:
        values, chance, zero = paid * (1 + self.error), self.chance, self.zero
        if self.start > 0:
            due, sure = np.zeros((2, 1, values.shape[1]))
            # One more block, whose first outcome is certain.
            due[0, 0], sure[0, 0] = self.start / np.sqrt(self.total) * (1 + self.error), 1.0
            values, chance = np.vstack((due, values)), np.vstack((sure, chance))
            zero = np.concatenate(([0.0], zero))
        return Term(values, chance, zero)


@dataclass(frozen=True, eq=False)
class Transported:
    """Steps at the end of the chain, at kappa = 1: shift and clock of each, and what is due."""

    shift: Array
    clock: Array
    start: float
    training: int
    first: int  # the step of training that is the first of the chain

    @property
    def before(self) -> Array:
        """Clock from just before each step to the end."""
        tail_sums: Array = np.cumsum(self.clock[::-1])[::-1]
        return tail_sums


def transported(setting: SampledSGD, contraction: Array) -> Transported:
    """The chain that is compared with the reference, under these contractions."""
    # Against "T" the runs are aligned at their ends: the other starts K steps later.
    first = setting.unlearning_steps if setting.reference == "T" else 0
    training = max(setting.steps - first, 0)
    length = setting.steps if setting.reference == "T" else setting.length
    c = contraction[:length]
    with np.errstate(over="ignore", under="ignore"):
        # S_0..S_N: S_0 multiplies what is due at the start, S_k what happens in step k.
        after = np.concatenate((np.cumprod(c[::-1])[::-1], [1.0]))
        unit = setting.eta[:length] / setting.batch_size
        shift = unit * after[1:]
        # s_k = eta_k sigma_k C/B is the unit of the shift times the profile, at sigma = 1.
        clock = (shift * setting.profile[:length]) ** 2
        start = 0.0 if setting.reference == "T+K" else float(setting.diameter * after[0])
    return Transported(shift, clock, start, training, first)


def inclusions(setting: SampledSGD, steps: Transported, kappa: float) -> Inclusions:
    """The blocks of the training steps, by the sampling of the setting."""
    if setting.sampling == "shuffled":
        moving = setting.adjacency in RESIZING
        *blocks, late = _epochs(setting, steps, kappa, moving=moving)
    else:
        blocks, late = [*_steps(setting, steps, setting.moved(kappa))], np.zeros(0)
    shift, chance, zero, paid = blocks
    # Products and sums over all steps, each factor rounded a few times.
    error = (4 * steps.clock.size + 64) * _ULP
    stepwise = setting.sampling != "shuffled"
    clock, start = steps.clock, steps.start
    return Inclusions(shift, chance, zero, paid, clock, start, stepwise, error, late)


def exchanges(setting: SampledSGD, steps: Transported) -> Inclusions:
    """The same where the row stands for any row of a batch, which moves the step by g + 1."""
    blocks = _steps(setting, steps, setting.share + 1)
    error = (4 * steps.clock.size + 64) * _ULP
    return Inclusions(*blocks, steps.clock, steps.start, True, error)


def instance(
    setting: SampledSGD, steps: Transported, kappa: float, *, late: bool = False
) -> Inclusions:
    """The blocks for linear losses, where no row moves; `late`: of the unlearning steps."""
    at = steps
    if late:
        size = steps.clock.size - steps.training
        at = Transported(steps.shift[-size:], steps.clock[-size:], 0.0, size, setting.steps)
    if setting.sampling == "shuffled":
        *blocks, _ = _epochs(setting, at, kappa, moving=False)
    else:
        here = slice(at.first, at.first + at.training)
        rate = setting.rates[here, None]
        shift = (at.shift[: at.training] * setting.moved(kappa)[here])[:, None]
        blocks = [shift, rate, 1 - rate[:, 0], shift]
    shift, chance, zero, paid = blocks
    error = (4 * steps.clock.size + 64) * _ULP
    return Inclusions(shift, chance, zero, paid, steps.clock, 0.0, True, error)


def _steps(
    setting: SampledSGD, steps: Transported, moved: Array
) -> tuple[Array, Array, Array, Array]:
    size = steps.training
    rate = setting.rates[steps.first :][:size]
    rows = setting.present[steps.first :]
    if setting.reference != "T" and (rows[size:] > 0).any():
        # A sequence of requests: rows that leave later are still there while others are unlearned.
        size = int(np.flatnonzero(rows)[-1]) + 1
        rate = setting.rates[:size]
    rows = rows[:size, None]
    # Binomial: how many of the rows in question are in the batch, one outcome each.
    number = np.arange(1, int(rows.max(initial=1)) + 1)
    q = rate[:, None]
    chance = scipy.special.binom(rows, number) * q**number * (1 - q) ** np.maximum(rows - number, 0)
    zero = (1 - rate) ** rows[:, 0]
    displacement = moved[steps.first :][:size]
    shift = (displacement * steps.shift[:size])[:, None] * number
    # An inclusion that pays for itself is spread over the clock from its own step on.
    return shift, chance, zero, shift / np.sqrt(steps.before[:size, None])


def _epochs(
    setting: SampledSGD, steps: Transported, kappa: float, *, moving: bool
) -> tuple[Array, Array, Array, Array, Array]:
    """A deletion moves the last row of the epoch to the place that it leaves free.

    Last of all what it is short of in the last batch.
    """
    per, size = setting.epoch, steps.training
    count = -(-size // per)
    plain, shift = np.zeros((2, count * per))
    clock_tails = np.ones(count * per)
    plain[:size], clock_tails[:size] = steps.shift[:size], steps.before[:size]
    shift[:size] = steps.shift[:size] * setting.moved(kappa)[steps.first :][:size]
    roots = np.sqrt(clock_tails).reshape(count, per)
    plain, shift = plain.reshape(count, per), shift.reshape(count, per)
    # The place of a row in a shuffled epoch; the last batch may be shorter.
    share = np.full(per, setting.batch_size / setting.n)
    share[-1] = 1 - (per - 1) * setting.batch_size / setting.n
    # The last epoch may be cut off, and the row then be in none of its batches.
    there = (np.arange(count * per) < size).reshape(count, per)
    chance = np.where(there, share, 0.0)
    paid: Array = shift / roots
    late = np.zeros(count)
    if moving:
        # The moved row misses in the last batch, and is new in the batch of the free place.
        early = np.arange(per) < per - 1
        last = plain[:, -1:]
        paid = np.where(early, paid + plain / roots + last / roots[:, -1:], paid)
        shift = np.where(early, shift + plain + last, shift)
        late = last[:, 0]
    # Exactly 0 in a whole epoch, which 1 - sum would miss by an ulp.
    zero = np.where(there.all(axis=1), 0.0, 1 - chance.sum(axis=1))
    return shift, chance, zero, paid, late
