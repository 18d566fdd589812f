"""What the sampling does to the rows that both runs have, when one run has fewer rows in all.

Poisson: every row of a run on n rows is drawn at the rate B/n.  With q the rate of the run with the
rows in question, q' that of the run without, each of the `common` rows is drawn less often
where its rate is the lower one.  Let S be the batch of the common rows at the lower rate, drawn for
both runs, and let E be drawn beside it at the rate p = |q' - q|/(1 - min(q, q')): S or E has the
higher rate.  So given S the other run's step is moved by the gradients of E without S, at most
C each, and their number is at most Bin(common - |S|, p).  S alone decides how a step contracts.

    mixtures    common - s at p, where batches of fewer than s rows are rare and taken from delta
    patterns    over S and E together the number is Bin(common, |q' - q|), independent of the draws
                of the rows in question
    training    the batch at the higher rate is drawn for both runs; of its m rows the other run
                drops each at the rate |q' - q|/max(q, q'), m the largest that is not rare

Shuffled and in cyclic order: J = ceil(rows/B) batches.  With a batch fewer no step is a step of the
other run any more: two steps on batches of s and s' rows differ by at most (s + s') C.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from accounting.curves.discrete_sums import Array
from accounting.sampled.schedules import RESIZING, Schedules, batches

_RARE = 1e-6  # of delta, for all steps together: batches smaller, numbers larger than counted on


def common(setting: Schedules) -> np.ndarray:
    """How many rows both runs have, at most, at every step."""
    if setting.adjacency == "add":
        return np.asarray(setting.n - setting.present)
    return np.full(setting.length, setting.n - int(setting.present.max()))


def unlike(setting: Schedules) -> bool:
    """Whether rows that both runs have are drawn at different rates."""
    return bool((setting.rates != setting.rates_without).any())


def shortened(setting: Schedules) -> bool:
    """Whether one run has a batch fewer in every epoch."""
    if setting.sampling not in ("shuffled", "cyclic") or setting.adjacency not in RESIZING:
        return False
    fewer = setting.n - int(setting.present.max())
    return batches(fewer, setting.batch_size) != batches(setting.n, setting.batch_size)


def sizes(setting: Schedules) -> tuple[Array, Array]:
    """Rows in the batch of every training step, in the run with the rows and in the one without."""
    number = np.arange(setting.steps)

    def of(rows: int) -> Array:
        each = batches(rows, setting.batch_size)
        # The last batch of an epoch has what is left.
        last = rows - (each - 1) * setting.batch_size
        batch_sizes: Array = np.where(number % each == each - 1, last, setting.batch_size).astype(
            float
        )
        return batch_sizes

    return of(setting.n), of(setting.n - int(setting.present.max()))


@dataclass(frozen=True, eq=False)
class Numbers:
    """Extra rows at every step: at least j + 1 of them with tail[k, j], in one of the two runs.

    Attributes:
        tail: (steps, most); the law is cut at `most`.
        extra: whether it is the run without the rows in question that has them, at every step.
        owed: the probability of what is rare.
    """

    tail: Array
    extra: np.ndarray
    owed: float

    def chance(self, *, without: bool) -> tuple[Array, Array]:
        """Of 1, 2, ... extra rows in that run, and of none."""
        tail = self.tail * (self.extra == without)[:, None]
        # P(exactly j) = P(more than j - 1) - P(more than j); the cut tail ends at its last entry.
        chance: Array = tail - np.append(tail[:, 1:], np.zeros((tail.shape[0], 1)), axis=1)
        return chance, 1 - tail[:, 0]


def _numbers(trials: Array, rate: Array, extra: np.ndarray, spare: float, owed: float) -> Numbers:
    """Binomial numbers, cut where what is beyond is rare."""
    most, steps = 1, np.count_nonzero(rate)

    def beyond(number: int) -> float:
        return float(_more(number, trials, rate).max())

    # Doubled, then bisected: the least number that is rarely exceeded in any step.
    while steps * beyond(most) > spare:
        most *= 2
    low = most // 2
    while most - low > 1:
        middle = (low + most) // 2
        low, most = (middle, most) if steps * beyond(middle) > spare else (low, middle)
    tail = _more(np.arange(most), trials[:, None], rate[:, None])
    return Numbers(tail, extra, owed + steps * beyond(most) * (1 + 1e-6))


def _more(number: ArrayLike, trials: Array, rate: Array) -> Array:
    """The chance of more than so many of the trials."""
    # P(Bin(n, p) > j) = I_p(j + 1, n - j); j >= n has no such form, and chance 0.
    some = np.minimum(number, trials - 1)
    chances = scipy.special.betainc(some + 1.0, np.maximum(trials - some, 1.0), rate)
    return np.where(np.asarray(number) < trials, chances, 0.0)


def _fewest(rows: np.ndarray, rate: Array, spare: float) -> tuple[Array, float]:
    """s at every step, and the probability that a batch is smaller."""
    counts, debt = np.zeros(rows.size), 0.0
    # Steps of the same rows and rate have the same answer.
    for n, q in set(zip(rows.tolist(), rate.tolist(), strict=True)):
        at = (rows == n) & (rate == q)
        steps = int(at.sum())
        low, high = 0, n
        while low < high:
            middle = (low + high + 1) // 2
            rare = rows.size * float(scipy.special.bdtr(middle - 1, n, q)) <= spare
            low, high = (middle, high) if rare else (low, middle - 1)
        counts[at] = low
        debt += steps * float(scipy.special.bdtr(low - 1, n, q)) * (1 + 1e-6) if low else 0.0
    return counts, debt


def given_batch(setting: Schedules, delta: float) -> Numbers:
    """Extra rows given the batch at the lower rate, whatever it is, but for rare ones."""
    spare = _RARE * delta / 2
    least = np.minimum(setting.rates, setting.rates_without)
    gap = np.abs(setting.rates_without - setting.rates)
    rows = common(setting)
    fewest, debt = _fewest(rows, least, spare)
    # p = |q' - q|/(1 - min(q, q')), 0 where the rates are equal (also at rate 1).
    rate = np.where(gap > 0, gap / np.where(least < 1, 1 - least, 1.0), 0.0)
    rate = np.minimum(rate * (1 + 2.0**-50), 1.0)
    extra = setting.rates_without > setting.rates
    return _numbers(rows - fewest, rate, extra, spare, debt)


def on_average(setting: Schedules, delta: float) -> Numbers:
    """Extra rows over all batches."""
    gap = np.abs(setting.rates_without - setting.rates) * (1 + 2.0**-50)
    extra = setting.rates_without > setting.rates
    return _numbers(common(setting).astype(float), gap, extra, _RARE * delta, 0.0)


def dropped(setting: Schedules, delta: float) -> Numbers:
    """Rows that one run drops of the batch at the higher rate, of no more than rare ones have."""
    spare = _RARE * delta / 2
    most = np.maximum(setting.rates, setting.rates_without)
    gap = np.abs(setting.rates_without - setting.rates)
    rows = common(setting)
    # The rows that are not drawn are many.
    fewest, debt = _fewest(rows, 1 - most, spare)
    rate = np.minimum(gap / most * (1 + 2.0**-50), 1.0)
    return _numbers(rows - fewest, rate, setting.rates_without > setting.rates, spare, debt)
