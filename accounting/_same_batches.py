"""Batches that are the same in both runs: cyclic order and full batches have a single pattern."""

import numpy as np

from accounting._inclusions import Transported
from accounting._smoothed import Array
from accounting.contraction import pabi_mu
from accounting.sampled_sgd import SampledSGD

_ULP = 2.0**-52


def _patterns(setting: SampledSGD, steps: Transported, kappa: float) -> list[Array]:
    """Transported shifts for every place of the rows that may be the worst."""
    size = steps.clock.size
    rows, moved = setting.present[steps.first :][:size], setting.moved(kappa)[steps.first :][:size]
    step = np.pad(moved, (0, size - moved.size), mode="edge") * steps.shift
    shift = step * np.concatenate((rows, np.zeros(size - rows.size)))
    if setting.sampling == "full":
        return [shift]
    each, number = setting.epoch, np.arange(shift.size)
    places = set(range(each))
    if (np.diff(step) >= 0).all():
        # A later and larger shift costs more: the last place of a whole epoch, or of the last one.
        places = {each - 1, (steps.training - 1) % each}
    return [np.where(number % each == place, shift, 0.0) for place in places]


def same_batches_mu(setting: SampledSGD, steps: Transported, kappa: float) -> float:
    """mu at sigma = 1, at the worst place of the rows in the epoch."""
    root = np.sqrt(steps.clock)
    return max(
        pabi_mu(np.ones(shift.size), shift * (1 + steps.clock.size * 2 * _ULP), root, steps.start)
        for shift in _patterns(setting, steps, kappa)
    ) * (1 + 8 * (steps.clock.size + 8) * _ULP)


def linear_mu(setting: SampledSGD, steps: Transported, kappa: float) -> float:
    """mu of the linear instance at that place, rounded down."""
    most = max(float(shift.sum()) for shift in _patterns(setting, steps, kappa))
    return most / float(np.sqrt(steps.clock.sum())) / (1 + 8 * (steps.clock.size + 8) * _ULP)
