"""Two runs that draw the rows they have in common at different rates, both against a third law.

R has only the batch that both runs draw, at the lower rate (`changed_data`).  Against R the run
with the rows in question moves where they are drawn, the other where an extra row is drawn, or
the other way round where the rates are; R depends on neither.  For a test A with R(A) = Phi(z)

    P(A) <= E Phi(z + mu),   Q(A) >= E Phi(z - nu),

mu and nu paid by the one's inclusions and by the other's; or, as linear losses are the worst of the
class but for 1 + e (`_linear_losses`), by a single segment for each.  All is given the batch that
both draw; forgetting it is joint convexity, and the bounds hold for every such batch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy

from accounting.curves.discrete_sums import Array, Law, resolvable, times
from accounting.curves.gaussian_mixtures import epsilon as mixture_epsilon
from accounting.sampled._blocks import Inclusions
from accounting.sampled._draws import Draws
from accounting.sampled._inclusions import Transported
from accounting.sampled._linear_losses import SPARES, deepest, surplus
from accounting.sampled.algorithm import SampledSGD
from accounting.sampled.changed_data import Numbers, given_batch, on_average

_SLACKS = (1e-9, 1e-6, 1e-3, 0.1)  # of epsilon, which the other side's surplus multiplies
_CLOSE = 1 + 1e-6
_HUGE, _RAREST = 700.0, 1e-300
_ULP = 2.0**-52
_MOST_OUTCOMES = 10**7  # of all steps together
_MOST_OF_A_STEP = 400  # outcomes, for which linear losses are shown to be the worst


class Sides:
    """What moves either run against the law that both share, sigma = 1; `owed` is rare."""

    def __init__(self, setting: SampledSGD, steps: Transported, delta: float) -> None:
        numbers = given_batch(setting, delta)
        here, there = numbers.chance(without=False), numbers.chance(without=True)
        self.both = (
            _blocks(setting, steps, here, rows=True),
            _blocks(setting, steps, there, rows=False),
        )
        self.owed = numbers.owed

    def epsilon(self, sigma: float, delta: float) -> float:
        """The least bound by a common level."""
        paid = [(each.additive.times(1 / sigma),) for each in self.both]
        if not all(resolvable(each) for each in paid):
            return math.inf
        straight = [(each.straight.times(1 / sigma),) for each in self.both]
        epsilon = _least(paid, paid, delta, (0.0, 0.0), 0.0)
        hope = _least(straight, straight, delta, (0.0, 0.0), 0.0)
        last = math.inf
        several = max(each.shift.shape[1] for each in self.both)
        for share, close in SPARES if several <= _MOST_OF_A_STEP else ():
            spare = share * delta
            if spare < _RAREST:
                continue
            more = [
                surplus(each, sigma, deepest(law, spare), spare, near=close)
                for each, law in zip(self.both, paid, strict=True)
            ]
            value = _least(straight, paid, delta, (more[0], more[1]), spare)
            epsilon = min(epsilon, value)
            if epsilon <= hope * _CLOSE or value > last or (value == math.inf and close):
                break
            last = value
        return epsilon


def together(setting: SampledSGD, steps: Transported, delta: float) -> tuple[Inclusions, float]:
    """All that moves one run against the other, over all batches; and what is rare."""
    numbers = on_average(setting, delta)
    chance, zero = numbers.chance(without=False)
    other, none = numbers.chance(without=True)
    # Either the one run or the other has extra rows at a step.
    both = chance + other, np.minimum(zero, none)
    return _blocks(setting, steps, both, rows=True), numbers.owed


def _blocks(
    setting: SampledSGD, steps: Transported, extra: tuple[Array, Array], *, rows: bool
) -> Inclusions:
    """Of every step: i rows in question and j others, by what they move the step together."""
    end = steps.first + steps.clock.size
    present = setting.present[steps.first : end].astype(np.float64) * rows
    # Chances of 0, 1, 2, ... extra rows at every step of the chain.
    more = np.column_stack((extra[1], extra[0]))[steps.first : end]
    # Up to the last step at which anything may shift.
    size = int(np.flatnonzero((present > 0) | (more[:, 0] < 1)).max(initial=-1)) + 1
    present, more = present[:size], more[:size]
    more = more[:, : int(np.flatnonzero(more.any(axis=0)).max(initial=0)) + 1]
    error = (4 * steps.clock.size + 64) * _ULP
    unit, rate = setting.moved(1.0)[steps.first :][:size], setting.rates[steps.first :][:size]
    draws = Draws(unit, present, rate, steps.clock, 0.0, error)
    if size * (draws.told_apart + 2) * more.shape[1] > _MOST_OUTCOMES:
        raise ValueError(
            f"rows must be fewer with adjacency {setting.adjacency}, where every step has an "
            f"outcome for each number of them and of others: at most {_MOST_OUTCOMES} in all, got "
            f"{int(present.max(initial=0))}"
        )
    i, inclusions = draws.counted()
    j = np.arange(more.shape[1])
    # Independent numbers i and j; the first outcome, i = j = 0, is that of no shift.
    chance = (inclusions[:, :, None] * more[:, None, :]).reshape(size, -1)
    shift = (i[:, :, None] * unit[:, None, None] + j) * steps.shift[:size, None, None]
    shift = shift.reshape(size, chance.shape[1])[:, 1:]
    paid = shift / np.sqrt(steps.before[:size, None])
    start = steps.start if rows else 0.0  # due from one run to the other, once
    return Inclusions(
        shift, chance[:, 1:], chance[:, 0], paid, steps.clock, start, stepwise=True, error=error
    )


def binomial(trials: Array, number: Array, rate: Array) -> Array:
    """The chance of so many."""
    inside = number <= trials
    some = np.where(inside, number, 0)
    # By log Beta: binomials of thousands of rows leave the floats.
    logs = scipy.special.xlogy(some, rate) + scipy.special.xlog1py(trials - some, -rate)
    logs = logs - scipy.special.betaln(some + 1.0, trials - some + 1.0) - np.log1p(trials)
    chances: Array = np.where(inside, np.exp(logs), 0.0)
    return chances


def _least(
    laws: Sequence[Law], paid: Sequence[Law], delta: float, more: tuple[float, float], spare: float
) -> float:
    """epsilon of both directions, where the power against R is (1 + more) E Phi(z + mu) + spare."""
    if not (max(more) < math.inf and spare < delta):
        return math.inf
    return max(
        direction(laws[a], laws[b], paid[b], delta - spare, more[a], more[b] + spare)
        for a, b in ((0, 1), (1, 0))
    )


def direction(first: Law, second: Law, paid: Law, delta: float, more: float, owed: float) -> float:
    """The least epsilon; `owed` is what the power of the second's no may lack."""
    log = math.log1p(more)

    def away(other: Law, due: float = 0.0) -> float:
        rest = (delta - due) / (1 + more)
        return mixture_epsilon(first, times(other, -1), rest) + log if rest > 0 else math.inf

    epsilon = away(second)
    if owed == 0:
        return epsilon
    # What is owed is multiplied by e^epsilon: guess a little more epsilon, and see whether it
    # holds.
    for slack in _SLACKS:
        limit = epsilon * (1 + slack)
        epsilon_bound = away(second, owed * math.exp(min(limit, _HUGE)))
        if epsilon_bound <= limit:
            return epsilon_bound
    return away(paid)


def moved_by(setting: SampledSGD, numbers: Numbers, k: int) -> tuple[list[float], list[float]]:
    """What a step is moved by in units of C, and with what chances, for extra rows in either."""
    one, _ = numbers.chance(without=False)
    two, _ = numbers.chance(without=True)
    chance = one[k] + two[k]
    # None, then 1, 2, ... extra rows.
    more = np.append(1 - numbers.tail[k, 0], chance)
    i = np.arange(int(setting.present[k]) + 1)
    present = np.asarray(setting.present[k], dtype=np.float64)
    inclusions = binomial(present, i.astype(np.float64), setting.rates[k])
    share = float(setting.share[k])
    displacement = (i[:, None] * share + np.arange(more.size)).ravel()
    chances = (inclusions[:, None] * more).ravel()
    some = chances > 0
    return displacement[some].tolist(), (chances[some] / chances[some].sum()).tolist()
