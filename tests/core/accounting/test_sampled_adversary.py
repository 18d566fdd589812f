"""Maps, pushes and tests that are each the best for the others, on a lattice of the line.

Given all else, the map of a step that tells most is found exactly: what each state gains by each
place adds up, and 1-Lipschitz maps of the lattice are paths with steps of -1, 0 and 1.
"""

import math

import numpy as np
import pytest
from scipy.special import ndtr

from accounting import SampledSGD
from accounting.sampled._largest_batch import Accounts
from accounting.sampled._linear_losses import deepest, surplus


def best_map(gain):
    """Places y(x) of a 1-Lipschitz map with the largest sum of gain[x, y(x)]."""
    value, moves = gain[0], np.zeros(gain.shape, dtype=np.int64)
    for x in range(1, len(gain)):
        padded = np.pad(value, 1, constant_values=-np.inf)
        choices = np.array([padded[1:-1], padded[:-2], padded[2:]])
        choice = choices.argmax(axis=0)
        moves[x] = np.array([0, -1, 1])[choice]
        value = choices.max(axis=0) + gain[x]
    places = [int(value.argmax())]
    for move in moves[:0:-1]:
        places.append(places[-1] + int(move[places[-1]]))
    return np.array(places[::-1])


class Chain:
    """Steps of size 1 from 0: noises, and the rates of a row that pushes by 1 or less."""

    def __init__(self, noises, rates, per=5):
        reach = 0.5 * len(rates) + 5 * math.sqrt(sum(s * s for s in noises))
        self.reach = math.ceil(per * reach)
        grid = np.arange(-self.reach, self.reach + 1) / per
        edges = np.concatenate(([-np.inf], (grid[1:] + grid[:-1]) / 2, [np.inf]))
        self.noise = [np.diff(ndtr((edges - grid[:, None]) / s), axis=1) for s in noises]
        self.rates, self.size, self.grid = rates, grid.size, grid
        self.pushed = np.clip(np.arange(self.size) + np.array([[-per], [0], [per]]), 0, None)
        self.pushed = np.minimum(self.pushed, self.size - 1)

    def push(self, k, run, value, sign):
        """The noise and the draw of step k for one run: what each place is worth, and the law."""
        smooth = self.noise[k] @ value
        if not run or k >= len(self.rates):
            return smooth, self.noise[k]
        choice = (sign * smooth[self.pushed]).argmax(axis=0)
        to = np.take_along_axis(self.pushed, choice[None], axis=0)[0]
        q = self.rates[k]
        return (1 - q) * smooth + q * smooth[to], (1 - q) * self.noise[k] + q * self.noise[k][to]

    def best(self, gamma, runs, test, sweeps=4):
        """The largest P(A) - gamma Q(A) found; runs: which of them has the row."""
        steps, found = len(self.noise), 0.0
        maps = [np.full(self.size, self.reach), *[np.arange(self.size)] * (steps - 1)]
        laws = None
        for _ in range(sweeps):
            values, kernels = [1.0 * test] * 2, []
            for k in range(steps - 1, -1, -1):
                pairs = [self.push(k, runs[i], values[i], (1, -1)[i]) for i in (0, 1)]
                kernels.insert(0, [kernel for _, kernel in pairs])
                if laws and k:
                    p, q = laws[k]
                    gain = p[:, None] * pairs[0][0] - gamma * q[:, None] * pairs[1][0]
                    maps[k] = best_map(gain)
                values = [worth[maps[k]] for worth, _ in pairs]
            laws = [[np.eye(self.size)[self.reach]] * 2]
            for place, kernel in zip(maps, kernels, strict=True):
                moved = [np.bincount(place, law, self.size) for law in laws[-1]]
                laws.append([moved[i] @ kernel[i] for i in (0, 1)])
            excess = laws[-1][0] - gamma * laws[-1][1]
            test = excess > 0
            found = max(found, float(excess[test].sum()))
        return found


SETTINGS = {
    "certified at two unlearning steps": ([1.0, 1.2, 0.9, 1.1], [0.5, 0.7], 1e-2, False),
    "certified at many draws": ([1.5] * 5, [0.9, 0.8, 0.9], 1e-2, False),
    "linear losses are not the worst": ([0.5, 0.5], [0.05, 0.05], 1e-2, True),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_no_map_found_beats_what_is_certified(name):
    noises, rates, delta, beaten = SETTINGS[name]
    setting = SampledSGD(
        n=10,
        batch_size=1,
        smoothness=0.0,
        step_size=1.0,
        steps=len(rates),
        unlearning_steps=len(noises) - len(rates),
        noise_profile=noises,
        rate=[*rates, *[0.5] * (len(noises) - len(rates))],
    )
    accounts = Accounts(setting, delta)
    additive, straight = (accounts.blocks.additive,), (accounts.blocks.straight,)
    linear, certified = accounts._certified(straight, additive, delta), accounts.mixture(1.0)
    if not beaten:
        spare = 1e-3 * delta
        more = surplus(accounts.blocks, 1.0, deepest(additive, spare), spare, near=True)
        assert more < 0.2
        certified = accounts._certified(straight, additive, delta, more, spare)
    chain = Chain(noises, rates)

    def worst(epsilon):
        found = 0.0
        for runs in ((True, False), (False, True)):
            for cut in (0.5, 2.0):
                test = (chain.grid > cut) == runs[0]
                found = max(found, chain.best(math.exp(epsilon), runs, test))
        return found

    assert worst(certified) <= delta * (1 + 1e-3)  # what the lattice may add
    assert worst(linear) > (1.2 if beaten else 0.97) * delta
