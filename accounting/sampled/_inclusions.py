"""When the rows in question may be in a batch, and what that shifts at the end of the chain.

Steps are transported to the end: S_k = c_{k+1}...c_T, the clock x_k = sum_{l<=k} s_l^2 S_l^2, and a
row in the batch of step k raises the obstacle by w_k = kappa_k eta_k S_k/B, kappa_k what it moves
the step by (`SampledSGD.moved`).  Where every row is drawn by itself these are `Draws`; of epochs,
in each of which one position is drawn, they are outcomes of independent blocks (`Inclusions`).  All
is for C = sigma = 1, so that every mu is divided by sigma.
"""

from dataclasses import dataclass

import numpy as np

from accounting.curves.discrete_sums import Array
from accounting.sampled._blocks import Inclusions
from accounting.sampled._draws import Draws
from accounting.sampled.algorithm import SampledSGD
from accounting.sampled.schedules import RESIZING

_ULP = 2.0**-52


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


def inclusions(setting: SampledSGD, steps: Transported, kappa: float) -> Inclusions | Draws:
    """The blocks of the training steps, by the sampling of the setting."""
    if setting.sampling != "shuffled":
        return _draws(setting, steps, setting.moved(kappa))
    return _shuffled(setting, steps, kappa, steps.start, moving=setting.adjacency in RESIZING)


def exchanges(setting: SampledSGD, steps: Transported) -> Draws:
    """The same where the row stands for any row of a batch, which moves the step by g + 1."""
    return _draws(setting, steps, setting.share + 1)


def instance(
    setting: SampledSGD, steps: Transported, kappa: float, *, late: bool = False
) -> Inclusions | Draws:
    """The blocks for linear losses, where no row moves; `late`: of the unlearning steps."""
    at = steps
    if late:
        size = steps.clock.size - steps.training
        at = Transported(steps.shift[-size:], steps.clock[-size:], 0.0, size, setting.steps)
    if setting.sampling == "shuffled":
        return _shuffled(setting, at, kappa, 0.0, moving=False)
    here = slice(at.first, at.first + at.training)
    shift = at.shift[: at.training] * setting.moved(kappa)[here]
    # The clock is that of the whole chain, also where the draws are those of its end.
    return Draws(
        shift, np.ones(shift.size), setting.rates[here], steps.clock, 0.0, _error(steps.clock)
    )


def _error(clock: Array) -> float:
    """Of products and sums over all steps, each factor of which is rounded a few times."""
    return (4 * clock.size + 64) * _ULP


def _draws(setting: SampledSGD, steps: Transported, moved: Array) -> Draws:
    size = steps.training
    rows = setting.present[steps.first :]
    if setting.reference != "T" and (rows[size:] > 0).any():
        # A sequence of requests: rows that leave later are still there while others are unlearned.
        size = int(np.flatnonzero(rows)[-1]) + 1
    rates, displacement = setting.rates[steps.first :][:size], moved[steps.first :][:size]
    return Draws(
        displacement * steps.shift[:size],
        rows[:size].astype(np.float64),
        rates,
        steps.clock,
        steps.start,
        _error(steps.clock),
    )


def _shuffled(
    setting: SampledSGD, steps: Transported, kappa: float, start: float, *, moving: bool
) -> Inclusions:
    shift, chance, zero, paid, late = _epochs(setting, steps, kappa, moving=moving)
    clock, error = steps.clock, _error(steps.clock)
    return Inclusions(shift, chance, zero, paid, clock, start, False, error, late)


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
