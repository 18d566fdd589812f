"""What a step costs on a device: the host waits for it in no loop that does not have to ask.

Runs of 8 and of 16 steps (epochs of two steps, rounds) are compared, so that what a run costs once
does not count.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from accounting import DeletionSchedule
from simulators.data.dataset import Dataset
from simulators.device import placement as device
from simulators.domains import Ball
from simulators.langevin.coupling import coupled_paths
from simulators.langevin.unlearning import learn_unlearn
from simulators.losses.logistic import Logistic
from simulators.losses.ridge import Ridge
from simulators.online.learners import run
from simulators.online.quadratics import Quadratics
from simulators.streaming.baselines import retrain
from simulators.streaming.deletions import random_subsets
from simulators.streaming.risk import Risk
from simulators.streaming.safe import safe
from simulators.streaming.track import Tracker, track_and_publish
from simulators.trajectory.linear_score import LinearScore
from simulators.trajectory.recursion import Recursion, differences
from simulators.trajectory.training import Training, batches_of
from tests.core.simulators.fake_device import fake_device

ROWS = np.random.default_rng(0).normal(size=(60, 2))
SIGNED = Dataset(ROWS, np.where(np.arange(60) % 2, 1.0, -1.0)).normalised()
OTHER = Dataset(np.concatenate([[[0.6, 0.8]], SIGNED.features[1:]]), SIGNED.targets)
CLASSES = Dataset(ROWS, np.arange(60.0) % 2)
LOSS = Logistic(0.5)
SETTINGS: dict[str, Any] = {
    "sigma": 0.5,
    "step_size": 0.1,
    "batch_size": 30,
    "trials": 3,
    "seed": 0,
    "domain": Ball(2.0),
    "device": "cuda",
}


def trained(steps: int, clip: float | None = None) -> tuple[LinearScore, Training]:
    batches = batches_of(60, 60, steps, seed=1)
    return LinearScore(LOSS, SIGNED, "cuda"), Training(
        batches, np.full(steps, 0.2), np.zeros(2), clip
    )


def walked(steps: int, clip: float | None = None) -> None:
    model, training = trained(steps, clip)
    for _ in training.walk(model):
        pass


def followed(steps: int, *chosen: str) -> None:
    differences(*trained(steps, 0.1), "each", Recursion(*chosen), record_norms=False)


def played(rounds: int, requests: DeletionSchedule | None = None) -> None:
    stream = Quadratics(np.linspace(-0.5, 0.5, rounds), domain=Ball(2.0))
    run(stream, requests, steps=0.1, sigmas=0.1, trials=3, keep_gradients=True, device="cuda")


def streamed(rounds: int) -> Any:
    return random_subsets(60, [1] * rounds, trials=2, seed=1)


def risk() -> Risk:
    return Risk(SIGNED, LOSS, "cuda")


LOOPS: dict[str, tuple[Callable[[int], Any], float, float]] = {
    "langevin": (
        lambda n: learn_unlearn(LOSS, SIGNED, OTHER, learn_epochs=n, unlearn_epochs=1, **SETTINGS),
        0,
        30,
    ),
    "coupled": (lambda n: coupled_paths(LOSS, SIGNED, OTHER, learn_epochs=n, **SETTINGS), 0, 66),
    "coupled-trials": (
        lambda n: coupled_paths(LOSS, SIGNED, OTHER, learn_epochs=n, keep_each=True, **SETTINGS),
        0,
        64,
    ),
    "online": (played, 0, 17),
    "online-requests": (lambda n: played(n, DeletionSchedule(range(1, n), range(2, n + 1))), 0, 50),
    "training": (walked, 0, 24),
    "training-clipped": (lambda n: walked(n, 0.1), 0, 31),
    "trajectory": (lambda n: trained(n)[1].run(trained(n)[0]), 0, 29),
    "recursion": (followed, 0, 70),
    "safe": (
        lambda n: safe(
            CLASSES,
            streamed(n),
            regularisation=0.1,
            weight=0.1,
            gamma=0.1,
            sigma=0.1,
            device="cuda",
        ),
        1,
        124,
    ),
    "track": (lambda n: track_and_publish(Tracker(2, 1.0, 1e-5), risk(), streamed(n)), 1, 29),
    "retrain": (lambda n: retrain(risk(), streamed(n)), 13, 405),
}
"""What is asked of the device, waits a step at most, and operations a step at most."""


@pytest.mark.skipif(torch.cuda.is_available(), reason="counts operations of a fake device")
@pytest.mark.parametrize("loop", LOOPS)
def test_a_step_waits_and_launches_no_more_than(loop):
    asked, waits, launches = LOOPS[loop]
    found = []
    for steps in (8, 16):
        with fake_device() as counts:
            asked(steps)
        found.append(counts)
    short, long = found
    assert (long.syncs.total() - short.syncs.total()) / 8 <= waits, long.syncs - short.syncs
    assert (long.launches.total() - short.launches.total()) / 8 <= launches


def test_the_step_that_diverged_is_named_though_it_is_seen_later():
    batches, steps = batches_of(60, 60, 200, seed=1), np.full(200, 1e3)
    training = Training(batches, steps, np.full(2, 1e100))
    said = []
    for place in ("cpu", "cuda"):
        with fake_device(), pytest.raises(ValueError, match=r"step \d+ was not") as error:
            training.run(LinearScore(Ridge(0.5, 1.0), SIGNED, place))
        said.append(str(error.value))
    assert said[0] == said[1]


def test_what_a_device_holds_comes_to_the_host_in_order_and_bounded(monkeypatch):
    monkeypatch.setattr(device, "HELD", 4)
    written: list[tuple[int, list[float]]] = []
    later = device.Later(lambda place, found: written.append((place, found.tolist())))
    with fake_device() as counts:
        for place, size in enumerate((1, 2, 3, 0, 2)):
            later.put(place, torch.full((size,), float(place), device="cuda"))
        assert [place for place, _ in written] == [0, 1, 2]
        later.flush()
        later.flush()
        assert counts.syncs.total() == 2
    assert written == [(0, [0.0]), (1, [1.0, 1.0]), (2, [2.0] * 3), (3, []), (4, [4.0] * 2)]
