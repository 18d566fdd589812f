"""A run that memory cannot hold is refused before it starts, and what to lower is named."""

import re

import numpy as np
import pytest
import torch

from forgetproof.cli import run as command
from simulators import coupled_paths, descent_to_delete, learn_unlearn, retrain
from simulators.data.dataset import Dataset
from simulators.device import memory
from simulators.device.memory import Part, insist
from simulators.losses.logistic import Logistic
from simulators.online.learners import run
from simulators.online.quadratics import Quadratics
from simulators.streaming.deletions import random_subsets
from simulators.streaming.minimise import Minimiser
from simulators.streaming.risk import Risk
from simulators.streaming.safe import safe
from simulators.streaming.track import Tracker, track_and_publish
from simulators.trajectory.linear_score import LinearScore
from simulators.trajectory.newton import newton_step
from simulators.trajectory.recursion import Recursion, differences
from simulators.trajectory.training import Training, batches_of
from simulators.trajectory.variants import follow

CPU, CUDA = torch.device("cpu"), torch.device("cuda")
ROWS = np.random.default_rng(0).normal(size=(60, 20))
SIGNED = Dataset(ROWS, np.where(np.arange(60) % 2, 1.0, -1.0)).normalised()
OTHER = Dataset(np.concatenate([SIGNED.features[1:2], SIGNED.features[1:]]), SIGNED.targets)
CLASSES = Dataset(ROWS, np.arange(60.0) % 2)
LOSS = Logistic(0.5)
SETTINGS = {"sigma": 0.5, "step_size": 0.1, "seed": 0, "device": "cpu"}
MODEL = LinearScore(LOSS, SIGNED)
SETS = [[i % 60] for i in range(500)]


def training(steps):
    return Training(batches_of(60, 60, steps), np.full(steps, 0.1), np.zeros(20))


def stream(trials):
    return random_subsets(60, [1] * 20, trials=trials, seed=1)


def risk():
    return Risk(SIGNED, LOSS, "cpu")


RUNS = {
    "langevin": (
        "trials",
        lambda: learn_unlearn(
            LOSS,
            SIGNED,
            OTHER,
            learn_epochs=1,
            unlearn_epochs=1,
            batch_size=30,
            trials=5000,
            block=64,
            **SETTINGS,
        ),
    ),
    "retrain": (
        "trials",
        lambda: retrain(
            LOSS, SIGNED, retrain_epochs=1, batch_size=30, trials=9000, block=64, **SETTINGS
        ),
    ),
    "d2d": (
        "trials",
        lambda: descent_to_delete(
            LOSS,
            SIGNED,
            [OTHER],
            learn_steps=1,
            unlearn_steps=1,
            trials=9000,
            internal_state=True,
            **SETTINGS,
        ),
    ),
    "block": (
        "block",
        lambda: retrain(
            LOSS, SIGNED, retrain_epochs=1, batch_size=30, trials=1, block=9000, **SETTINGS
        ),
    ),
    "coupled": (
        "trials",
        lambda: coupled_paths(
            LOSS,
            SIGNED,
            OTHER,
            learn_epochs=300,
            batch_size=30,
            trials=300,
            keep_each=True,
            **SETTINGS,
        ),
    ),
    "online": (
        "trials",
        lambda: run(
            Quadratics(np.linspace(-0.5, 0.5, 200)),
            steps=0.1,
            step_noise=0.1,
            trials=1500,
            keep_losses=True,
        ),
    ),
    "training": ("steps", lambda: training(9000).run(MODEL)),
    "differences": ("forget", lambda: differences(MODEL, training(2), SETS * 20, Recursion())),
    "follow": (
        "forget",
        lambda: follow(MODEL, training(2), SETS * 20, Recursion(), variant="gram"),
    ),
    "newton": (
        "parameters",
        lambda: newton_step(
            LinearScore(LOSS, Dataset(np.eye(60, 400), SIGNED.targets)), np.zeros(400), [1]
        ),
    ),
    "safe": (
        "trials",
        lambda: safe(
            CLASSES, stream(500), regularisation=0.1, weight=0.1, gamma=0.1, sigma=0.1, device="cpu"
        ),
    ),
    "track": ("trials", lambda: track_and_publish(Tracker(2, 1.0, 1e-5), risk(), stream(500))),
    "minimisers": ("trials", lambda: Minimiser(risk()).path(stream(500))),
}
"""What has to be lowered, and the run."""


@pytest.fixture
def little(monkeypatch):
    """One MiB is free, beside what any run takes."""
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setattr(memory, "free", lambda device: float(memory.FLOOR + (1 << 20)))


@pytest.mark.parametrize("name", RUNS)
def test_what_to_lower_is_named(name, little):
    setting, asked = RUNS[name]
    said = rf"{setting} must be at most \d+ here, got \d+: the run needs .* 0\.00391 GiB is free"
    with pytest.raises(ValueError, match=said):
        asked()


def test_the_value_that_is_named_fits_and_the_next_does_not(little):
    for power in (1, 2):

        def part(value, power=power):
            return Part("trials", value, 1000.0 * value**power, power)

        with pytest.raises(ValueError, match="trials") as error:
            insist(CPU, kept=[part(5000)], held=[Part("rows", 1, 1000.0)])
        most = int(re.search(r"at most (\d+)", str(error.value))[1])
        insist(CPU, kept=[part(most)], held=[Part("rows", 1, 1000.0)])
        with pytest.raises(ValueError, match="trials"):
            insist(CPU, kept=[part(most + 1)], held=[Part("rows", 1, 1000.0)])


def test_a_device_holds_what_is_worked_on_and_the_host_the_answer(monkeypatch):
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setattr(memory, "FLOOR", 0)
    monkeypatch.setattr(memory, "free", lambda device: 100.0 if device.type == "cuda" else 10.0)
    small, large = Part("trials", 3, 9.0), Part("block", 3, 90.0)
    insist(CUDA, kept=[small], held=[large])
    with pytest.raises(ValueError, match=r"block must be fewer here, got 3: .* of memory"):
        insist(CPU, kept=[small], held=[large])
    with pytest.raises(ValueError, match="trials must be at most 3 here, got 4"):
        insist(CUDA, kept=[Part("trials", 4, 12.0)], held=[large])
    with pytest.raises(ValueError, match=r"block must be at most 1 .* of the device's memory"):
        insist(CUDA, kept=[small], held=[Part("block", 3, 180.0)])


def test_nobody_looks_for_small_runs(monkeypatch):
    monkeypatch.setattr(memory, "free", lambda device: pytest.fail("it was asked"))
    insist(CPU, kept=[Part("trials", 1, memory.SMALL - memory.FLOOR - 1.0)])


def test_what_is_free_is_a_number_of_bytes():
    assert 0 < memory.free(CPU) < float(1 << 50)


def test_a_command_says_so_in_one_line(capsys, little, monkeypatch):
    monkeypatch.setattr(memory, "free", lambda device: float(16 << 20))
    words = "simulate langevin --data wine --classes 0,1 --sigma 1 --trials 300000 --device cpu"
    assert command(words.split()) == 2
    assert re.fullmatch(
        r"forgetproof: trials must be at most \d+ here, got \d+: .*\n", capsys.readouterr().err
    )
