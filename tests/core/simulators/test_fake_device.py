"""The fake device refuses what a real one refuses, and counts what costs time there."""

import numpy as np
import pytest
import torch

from tests.core.simulators.fake_device import CUDA, fake_device

HERE = np.arange(3.0)
REFUSED = {
    "sum-of-both": lambda there: there + torch.from_numpy(HERE),
    "product-of-both": lambda there: torch.from_numpy(HERE) @ there,
    "in-place": lambda there: torch.from_numpy(HERE).add_(there),
    "numpy": lambda there: there.numpy(),
    "array": lambda there: np.asarray(there),
    "generator-of-the-host": lambda there: there.normal_(generator=torch.Generator()),
    "generator-of-the-device": lambda there: torch.zeros(3).normal_(
        generator=torch.Generator(device="cuda")
    ),
}
WAITED = {
    "item": lambda there: there[0].item(),
    "float": lambda there: float(there[0]),
    "truth": lambda there: bool(there.max() > 0),
    "copy": lambda there: there.cpu(),
    "move": lambda there: there.to("cpu"),
    "mask": lambda there: there[there > 0],
    "places": lambda there: torch.nonzero(there),
}


def made():
    return torch.tensor(HERE, device="cuda")


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
def test_what_a_device_refuses_raises(call):
    with fake_device(), pytest.raises((RuntimeError, TypeError)):
        call(made())


@pytest.mark.parametrize("call", WAITED.values(), ids=WAITED)
def test_what_waits_for_the_device_is_counted_once(call):
    with fake_device() as counts:
        there = made()
        assert not counts.syncs.total()
        call(there)
        assert counts.syncs.total() == 1


def test_results_stay_where_they_are_made():
    with fake_device() as counts:
        there = made()
        moved = torch.softmax(2.0 * there, dim=0)[1:] * torch.tensor(0.5)
        assert there.device == moved.device == torch.zeros_like(moved).device == CUDA
        assert moved.cpu().device == torch.zeros(3).device == torch.device("cpu")
        assert counts.uploads.total() == 1
        assert counts.launches["aten._softmax.default"] == 1


BARRED = {
    "wait": lambda there: float(there.sum()),
    "copy": lambda there: there.cpu(),
    "host-data": lambda there: there.add_(torch.tensor(HERE, device="cuda")),
    "host-index": lambda there: there[np.array([0, 1])],
    "generator": lambda there: there.normal_(),
    "places": lambda there: torch.nonzero(there),
}


@pytest.mark.parametrize("call", BARRED.values(), ids=BARRED)
def test_what_a_recording_refuses_raises(call):
    with fake_device():
        there = made()
        with pytest.raises(RuntimeError), torch.cuda.graph(torch.cuda.CUDAGraph()):
            call(there)


def test_a_graph_does_the_same_again_in_the_same_memory():
    """Nothing is computed while it records; a number of the host stays what it was."""
    with fake_device() as counts:
        state, graph, scale = made(), torch.cuda.CUDAGraph(), 2.0
        with torch.cuda.graph(graph):
            half = state.mul_(scale)[1:] * 0.5
            state[1:].add_(half)
        assert state.cpu().tolist() == HERE.tolist()
        scale = 100.0
        before = counts.launches.total()
        for _ in range(2):
            graph.replay()
        assert state.cpu().tolist() == [0.0, 9.0, 18.0]
        assert half.cpu().tolist() == [3.0, 6.0]
        assert counts.launches.total() == before + 2
        assert counts.replayed.total() == 2 * 3


def test_memory_is_counted_until_it_is_given_back():
    with fake_device() as counts:
        first = torch.zeros(100, dtype=torch.float64, device="cuda")
        view = first[:10]
        del first
        second = view + 1.0
        assert counts.peak == 880
        del view, second
        torch.zeros(50, device="cuda")
        assert counts.peak == 880
