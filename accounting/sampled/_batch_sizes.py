"""What Poisson batches larger than counted on cost: an average over their sizes.

Counted on are m rows in every step.  Let M_k be the number of rows drawn in step k, and

    R = prod_k max(1, c_k(M_k)/c_k(m)).

Given all M_k, what is certified at noise sigma/R of every chain whose steps are c_k(m)-Lipschitz
holds of this one at noise sigma.  Proof.  With rho_k = prod_{l <= k} max(1, c_l(M_l)/c_l(m)) the
states divided by rho_k are a chain whose steps are c_k(m)-Lipschitz, whose shifts are those of this
chain divided by rho_k >= 1, and whose noise is s_k/rho_k >= s_k/R.  Shifts are bounds from above;
noise beyond s_k/R is independent of all else, and may be counted as a part of the maps.

The sizes are those of the batches without the rows in question: they are independent of the
inclusions of these, and the same in both runs.  By joint convexity of H_gamma, gamma = e^epsilon,

    H_gamma(P, Q) <= sum_j P(rho_{j-1} < R <= rho_j) delta_j + P(R > rho_J),

delta_j what is certified at epsilon with noise sigma/rho_j.  In other words: given R the power of a
test is at most a function of its level that is concave; the mean power at a mean level is therefore
at most gamma times this level and the mean of what these functions rise above gamma times theirs.
The law of log R is a sum of independent terms, moved up onto a lattice.  Without scales but 1 this
counts every larger batch as a failure, so that delta less their chance is left.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from accounting.curves.discrete_sums import Array
from accounting.curves.gaussian import delta_gdp
from accounting.sampled.algorithm import SampledSGD

_SPACING, _CELLS = 2.0**-8, 513  # of the lattice of log R: noise of less than e^-2 is of no use
_SIZES = 48  # of batches that are told apart
_LEVELS = 6
_LOST = 1e-3  # of delta, what the largest R may cost
_UP = 1 + 2.0**-30  # of sums and products of chances, all positive
_EXPECTED = (0.5, 1e-2, 1.0, 10.0)  # of larger batches in a run, the first times delta


@dataclass(frozen=True)
class Sizes:
    """Batches of `rows` are counted on.

    Attributes:
        scales: rho_j >= 1, rising.
        chances: that R is above rho_{j-1} and at most rho_j.
        lost: that it is above all.
        larger: that some batch is larger than counted on, if that is below 1.
    """

    rows: int
    scales: Array
    chances: Array
    lost: float
    larger: float

    def budgets(self, mu: float, delta: float) -> Array | None:
        """delta_j with sum chances[j] delta_j + lost <= delta; 1 where nothing need be certified.

        Those of Gaussian curves of mu times the scales at one epsilon, which fixes no more than how
        delta is divided.  None where nothing is left.
        """
        # Above all scales nothing is certified: there the chance itself counts as delta.
        budget = delta - self.lost
        if not budget > 0:
            return None

        def spent(epsilon: float) -> float:
            return float(self.chances @ delta_gdp(mu * self.scales, epsilon))

        high = 1.0
        while spent(high) > budget:
            high *= 2
            if high > 1e6:
                return None
        low = 0.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if spent(middle) > budget else (low, middle)
        # At `high` the sum is surely within the budget, and no share is 0, whose logarithm is asked
        # for.
        deltas: Array = np.maximum(delta_gdp(mu * self.scales, high), 1e-300)
        # Rounding, and what is left where epsilon = 0 would do.
        deltas *= budget / float(self.chances @ deltas) / _UP
        return np.minimum(deltas, 1.0)


def sizes(setting: SampledSGD, delta: float) -> list[Sizes]:
    """Ways to count, those that count on the fewest rows first; one where nothing is gained."""
    plain, debt = setting.most_rows(delta)
    alone = Sizes(plain, np.ones(1), np.ones(1), debt, debt)
    free = setting.free_rows
    if setting.sampling != "poisson" or plain <= free:
        return [alone]
    # The largest rate of either run and any step, which bounds the sizes of all batches.
    rate, free = float(max(setting.rates.max(), setting.rates_without.max())), max(free, 0)
    targets = [_EXPECTED[0] * delta, *_EXPECTED[1:]]
    row_counts = {max(free, _largest(setting, rate, x)) for x in targets} | {free}
    candidates = [_sizes(setting, rate, rows, plain, debt, delta) for rows in sorted(row_counts)]
    return [each for each in candidates if each is not None and each.rows < plain] + [alone]


def _largest(setting: SampledSGD, rate: float, expected: float) -> int:
    """The least m of which no more larger batches are expected."""
    low, high = 0, setting.n
    while low < high:
        middle = (low + high) // 2
        if setting.length * float(scipy.special.bdtrc(middle, setting.n, rate)) <= expected:
            high = middle
        else:
            low = middle + 1
    return low


def _sizes(
    setting: SampledSGD, rate: float, rows: int, most: int, owed: float, delta: float
) -> Sizes | None:
    """The law of R where so many rows are counted on; None where it is of no use."""
    if rows >= most:
        return None
    # Sizes in groups, each taken at its largest: growth rises with the size.
    larger = np.unique(np.linspace(rows, most, min(most - rows, _SIZES) + 1).astype(np.int64))
    # That a batch is larger than each of these, at one step.
    tails = scipy.special.bdtrc(larger, setting.n, rate)
    base = setting.contraction(rows)
    growth = [
        float((setting.contraction(int(m)) / base).max()) * (1 + 2.0**-48) for m in larger[1:]
    ]
    cells = np.ceil(np.log(growth) / _SPACING * _UP).astype(np.int64)
    # bdtrc is trusted to 1e-6 of itself, which the difference of two may hide.
    chances = np.maximum(tails[:-1] - tails[1:], 0.0) + 1e-6 * tails[:-1]
    one = np.zeros(_CELLS)
    # One minus the tail rounded down: every chance of the law is rounded up.
    one[0] = 1 - float(tails[0]) * (1 - 2.0**-40)
    inside = cells < _CELLS
    np.add.at(one, cells[inside], chances[inside])
    law, lost = _power(one, float(chances[~inside].sum()), setting.length)
    lost += owed
    beyond = np.cumsum(law[::-1])[::-1]
    beyond = np.append(beyond[1:], 0.0) + lost  # the chance of more than each cell
    if not beyond[-1] < delta:
        return None
    # For each level the first cell with no more than that beyond it; the last is where the rest is
    # lost.
    ends = [int(np.argmax(beyond <= x)) for x in _levels(float(beyond[0]), delta) if x > beyond[-1]]
    positions = np.unique([*ends, _CELLS - 1 if not ends else ends[-1]])
    # The mass of a scale is that of the cells after the scale before it, up to its own.
    before = np.concatenate(([0], positions[:-1] + 1))
    masses = np.add.reduceat(law[: positions[-1] + 1], before)
    return Sizes(
        rows,
        np.exp(positions * _SPACING) * (1 + 2.0**-50),
        masses * _UP,
        float(beyond[positions[-1]]) * _UP,
        setting.length * float(tails[0]) * (1 + 1e-6),
    )


def _levels(first: float, delta: float) -> Array:
    """Chances of more at which the scales are set."""
    last = _LOST * delta
    return np.geomspace(max(min(first, 0.5), last), last, _LEVELS) * (1 + 2.0**-40)


def _power(one: Array, lost: float, number: int) -> tuple[Array, float]:
    """The law of a sum of so many, and the chance of more than the last cell; rounded up."""
    # Squaring and multiplying: log2 of the number of steps convolutions.
    law, lost_mass = np.zeros(_CELLS), 0.0
    law[0] = 1.0
    while number:
        if number % 2:
            law, lost_mass = _sum(law, lost_mass, one, lost)
        number //= 2
        if number:
            one, lost = _sum(one, lost, one, lost)
    return law, lost_mass


def _sum(first: Array, gone: float, second: Array, lost: float) -> tuple[Array, float]:
    # Chances are positive, so a relative room covers all rounding of the sums.
    whole = np.convolve(first, second) * (1 + 2.0**-40)
    return whole[:_CELLS], (float(whole[_CELLS:].sum()) + gone + lost) * (1 + 2.0**-40)
