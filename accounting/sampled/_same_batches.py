"""Batches with a single pattern: those of a cyclic order, full ones, and those of other lengths.

The rows after one that leaves a cyclic order each go a place forward: its batch loses it and gains
the first row of the next, every batch after it loses its first row and gains the first of the next,
and the last gains none.  So r rows move the steps by r (g + 1), 2r, ..., 2r, r of C,
where they are in the first batch, and by no more in any step where they are in a later one.
"""

import numpy as np

from accounting.contraction.noisy_contraction import pabi_mu
from accounting.curves.discrete_sums import Array
from accounting.sampled._inclusions import Transported
from accounting.sampled.algorithm import SampledSGD
from accounting.sampled.changed_data import shortened, sizes
from accounting.sampled.schedules import RESIZING

_ULP = 2.0**-52


def _patterns(setting: SampledSGD, steps: Transported, kappa: float) -> list[Array]:
    """Transported shifts for every place of the rows that may be the worst."""
    size = steps.clock.size
    rows, displacement = (
        setting.present[steps.first :][:size],
        setting.moved(kappa)[steps.first :][:size],
    )
    step = np.pad(displacement, (0, size - displacement.size), mode="edge") * steps.shift
    shift = step * np.concatenate((rows, np.zeros(size - rows.size)))
    if setting.sampling == "full":
        return [shift]
    each, number = setting.epoch, np.arange(shift.size)
    positions = set(range(each))
    if (np.diff(step) >= 0).all():
        # A later and larger shift costs more: the last place of a whole epoch, or of the last one.
        positions = {each - 1, (steps.training - 1) % each}
    return [np.where(number % each == place, shift, 0.0) for place in positions]


def displaced(setting: SampledSGD) -> Array | None:
    """By how much of C every step is moved, at the worst place; None where no other row moves."""
    if shortened(setting):
        here, there = sizes(setting)
        return np.concatenate((here + there, np.zeros(setting.unlearning_steps)))
    each = setting.epoch
    if not (setting.sampling == "cyclic" and setting.adjacency in RESIZING and each > 1):
        return None
    batch, rows = np.arange(setting.length) % each, setting.present
    # First batch: its row out and one in; later ones: one out and one in; the last: one out only.
    displacement = np.where(batch == 0, rows * (setting.share + 1), 2.0 * rows)
    displacement = np.where(batch == each - 1, rows, displacement)
    # However many rows move, two batches of B rows differ by at most 2 B C.
    return np.minimum(displacement, 2.0 * setting.batch_size)


def same_batches_mu(setting: SampledSGD, steps: Transported, kappa: float) -> float:
    """mu at sigma = 1, at the worst place of the rows in the epoch."""
    root = np.sqrt(steps.clock)
    displacement = displaced(setting)
    if displacement is None:
        shifts = _patterns(setting, steps, kappa)
    else:
        shifts = [displacement[steps.first :][: steps.clock.size] * steps.shift]
    return max(
        pabi_mu(np.ones(shift.size), shift * (1 + steps.clock.size * 2 * _ULP), root, steps.start)
        for shift in shifts
    ) * (1 + 8 * (steps.clock.size + 8) * _ULP)


def linear_mu(setting: SampledSGD, steps: Transported, kappa: float) -> float:
    """mu of the linear instance at that place, rounded down."""
    most = max(float(shift.sum()) for shift in _patterns(setting, steps, kappa))
    return most / float(np.sqrt(steps.clock.sum())) / (1 + 8 * (steps.clock.size + 8) * _ULP)


def lengths_mu(setting: SampledSGD, steps: Transported) -> float:
    """mu where all gradients are one, and the batches of the runs are not of one size."""
    here, there = sizes(setting)
    apart = abs(float(((here - there) * steps.shift[: here.size]).sum()))
    return apart / float(np.sqrt(steps.clock.sum())) / (1 + 8 * (steps.clock.size + 8) * _ULP)
