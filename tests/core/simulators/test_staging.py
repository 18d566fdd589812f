"""Batches are staged in one pass over the data, and large data are held once."""

import numpy as np
import pytest
import torch

from simulators.data.adjacency import replaced
from simulators.data.dataset import Dataset
from simulators.device import placement as device
from simulators.domains import Ball
from simulators.engine.noisy_descent import Phase, run_coupled
from simulators.losses import linear_model
from simulators.losses.hinge import SmoothedHinge
from simulators.losses.huber import Huber
from simulators.losses.logcosh import LogCosh
from simulators.losses.logistic import Logistic
from simulators.losses.quadratic import Quadratic
from simulators.losses.ridge import Ridge
from simulators.losses.softmax import Softmax
from simulators.losses.squared_hinge import SquaredHinge
from tests.equality import same_bits

LOSSES = {
    f"{name}-{word}": make(clip)
    for word, clip in (("free", None), ("clipped", 0.5))
    for name, make in {
        "logistic": lambda clip: Logistic(0.1, clip),
        "hinge": lambda clip: SmoothedHinge(0.1, clip),
        "squared hinge": lambda clip: SquaredHinge(0.1, clip),
        "ridge": lambda clip: Ridge(0.1, clip),
        "huber": lambda clip: Huber(0.1, clip),
        "logcosh": lambda clip: LogCosh(0.1, clip),
        "softmax": lambda clip: Softmax(2, 0.1, clip),
        "quadratic": lambda clip: Quadratic(0.5, clip),
    }.items()
}
SIZE = 4


class Counted(np.ndarray):
    """An array that counts the rows that element-wise functions read and that are copied."""

    touched = 0

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        Counted.touched += len(self)
        return getattr(ufunc, method)(*map(np.asarray, inputs), **options)

    def __getitem__(self, key):
        found = super().__getitem__(key)
        if isinstance(found, np.ndarray) and found.ndim and not np.shares_memory(found, self):
            Counted.touched += len(found)
        return found


def dataset(loss, n):
    random = np.random.default_rng(n)
    targets = random.integers(0, 2, n) * 1.0
    if not isinstance(loss, Softmax):
        targets = 2.0 * targets - 1.0
    return Dataset(random.standard_normal((n, 3)), targets)


def batches(n, order):
    rows = np.arange(n) if order == "in order" else np.random.default_rng(0).permutation(n)
    return rows.reshape(-1, SIZE)


def touched(loss, n, order):
    data = dataset(loss, n)
    other = replaced(data, 1, [0.5, 0.0, 0.0], data.targets[1])
    for item in (data, other):
        for name in ("features", "targets"):
            object.__setattr__(item, name, getattr(item, name).view(Counted))
    Counted.touched = 0
    run(loss, [data, other], batches(n, order))
    return Counted.touched


def run(loss, data, rows):
    shape = loss.parameter_shape(data[0])
    traces = run_coupled(
        loss,
        [[Phase(item, len(rows) + 2)] for item in data],
        batches=rows,
        step_size=0.3,
        noise=0.1,
        domain=Ball(3.0),
        initials=[np.full(shape, 0.1)] * len(data),
        trials=3,
        seed=1,
    )
    return [trace.snapshots[0] for trace in traces]


@pytest.mark.parametrize("order", ["in order", "shuffled"])
@pytest.mark.parametrize("name", LOSSES)
def test_rows_touched_are_linear_in_the_data(name, order):
    few, many = (touched(LOSSES[name], n, order) for n in (128, 256))
    assert few <= 32 * 128
    assert many - few <= 1.1 * few


@pytest.mark.parametrize("order", ["in order", "shuffled"])
@pytest.mark.parametrize("name", LOSSES)
def test_large_data_give_the_same_numbers(name, order, monkeypatch):
    loss = LOSSES[name]
    data = dataset(loss, 32)
    runs = [data, replaced(data, 5, [0.5, 0.0, 0.0], data.targets[5]), data.trimmed(32)]
    rows = batches(32, order)
    small = run(loss, runs, rows)
    monkeypatch.setattr(device, "LARGE", 1)
    monkeypatch.setattr(linear_model, "LARGE", 1)
    for found, wanted in zip(run(loss, runs, rows), small, strict=True):
        same_bits(found, wanted)


@pytest.mark.parametrize("name", [name for name in LOSSES if "quadratic" not in name])
def test_large_data_are_held_once(name, monkeypatch):
    monkeypatch.setattr(device, "LARGE", 1)
    monkeypatch.setattr(linear_model, "LARGE", 1)
    loss = LOSSES[name]
    data = dataset(loss, 8)
    tensor = device.reader(torch.device("cpu"), torch.float64)
    staged = loss.stage(data, batches(8, "in order"), tensor)
    assert all(np.shares_memory(batch.rows.numpy(), data.features) for batch in staged)
