"""What a run is said to need is never less than what it holds, and less than twice that."""

import gc

import numpy as np
import pytest

from simulators import coupled_paths, descent_to_delete, learn_unlearn, retrain
from simulators.data.dataset import Dataset
from simulators.device import memory
from simulators.losses.logistic import Logistic
from simulators.online.learners import run
from simulators.online.quadratics import Quadratics
from simulators.random import normals
from simulators.streaming.deletions import random_subsets
from simulators.streaming.minimise import Minimiser
from simulators.streaming.risk import Risk
from simulators.streaming.safe import safe
from simulators.streaming.track import Tracker, track_and_publish
from simulators.trajectory.linear_score import LinearScore
from simulators.trajectory.newton import newton_step
from simulators.trajectory.recursion import Recursion, differences
from simulators.trajectory.training import Training
from simulators.trajectory.variants import follow
from tests.core.simulators.held import most_held

LOSS = Logistic(0.5)


def rows(dimension, low=-1.0):
    features = np.random.default_rng(0).normal(size=(60, dimension))
    return Dataset(features, np.where(np.arange(60) % 2, 1.0, low)).normalised()


SIGNED, CLASSES = rows(20), rows(20, 0.0)
OTHER = Dataset(np.concatenate([SIGNED.features[1:2], SIGNED.features[1:]]), SIGNED.targets)
NOISY = {"sigma": 0.5, "step_size": 0.1, "seed": 0, "device": "cpu"}
BATCHES = {"batch_size": 30, **NOISY}
EPOCHS = {"learn_epochs": 1, "unlearn_epochs": 1}


def path(dimension, steps, batch):
    batches = [np.arange(t, t + batch) % 60 for t in range(steps)]
    return Training(tuple(batches), np.full(steps, 0.1), np.zeros(dimension))


def sets(count):
    return [[i % 60] for i in range(count)]


def stream(trials, rounds):
    return random_subsets(60, [1] * rounds, trials=trials, seed=1)


def lines(by, count):
    model, training = LinearScore(LOSS, SIGNED), path(20, 2, 60)
    return lambda: by(model, training, sets(count), Recursion())


def gram(*given):
    return follow(*given, variant="gram")


def trained(dimension, steps):
    model, training = LinearScore(LOSS, rows(dimension)), path(dimension, steps, 2)
    return lambda: training.run(model)


def newton(p):
    model = LinearScore(LOSS, rows(p))
    return lambda: newton_step(model, np.zeros(p), [1])


def published(trials, dimension):
    risk, deletions = Risk(rows(dimension), LOSS, "cpu"), stream(trials, 3)
    return lambda: track_and_publish(Tracker(1, 1.0, 1e-5), risk, deletions)


def minimised(trials, dimension):
    find, deletions = Minimiser(Risk(rows(dimension), LOSS, "cpu")), stream(trials, 2)
    return lambda: find.path(deletions)


def forgotten(trials):
    settings = {"regularisation": 0.1, "weight": 0.1, "gamma": 0.1, "sigma": 0.1, "device": "cpu"}
    deletions = stream(trials, 10)
    return lambda: safe(CLASSES, deletions, **settings)


def langevin(trials):
    return learn_unlearn(LOSS, SIGNED, OTHER, trials=trials, **EPOCHS, **BATCHES)


def again(**more):
    return retrain(LOSS, SIGNED, retrain_epochs=1, **more, **BATCHES)


def descended(trials):
    steps = {"learn_steps": 1, "unlearn_steps": 1, "internal_state": True}
    return descent_to_delete(LOSS, SIGNED, [OTHER], trials=trials, **steps, **NOISY)


def coupled(trials):
    more = {"learn_epochs": 10, "trials": trials, "keep_each": True}
    return coupled_paths(LOSS, SIGNED, OTHER, **more, **BATCHES)


def online(trials):
    stream = Quadratics(np.linspace(-0.5, 0.5, 200))
    return run(stream, steps=0.1, step_noise=0.1, trials=trials, keep_losses=True)


RUNS = {
    "langevin": (12000, lambda n: lambda: langevin(n)),
    "retrain": (30000, lambda n: lambda: again(trials=n)),
    "d2d": (20000, lambda n: lambda: descended(n)),
    # So many trials that noise is made for the whole block.
    "block": (20000, lambda n: lambda: again(trials=64, block=n)),
    "coupled": (3000, lambda n: lambda: coupled(n)),
    "online": (1250, lambda n: lambda: online(n)),
    "training": (10000, lambda n: trained(n, 100)),
    "differences": (12000, lambda n: lines(differences, n)),
    "follow": (2500, lambda n: lines(gram, n)),
    "newton": (1000, newton),
    "safe": (500, forgotten),
    "track": (60, lambda n: published(n, 2000)),
    "minimisers": (30, lambda n: minimised(n, 2000)),
}
"""A large setting, and the run with a setting."""


@pytest.fixture(scope="module", autouse=True)
def settled():
    """Every look collects garbage first: not among what earlier tests keep."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("name", RUNS)
def test_a_run_holds_what_was_said(name, monkeypatch):
    said = []
    fit = memory._fit

    def heard(device, parts):
        said.append(memory.FLOOR + sum(part.size for part in parts))
        fit(device, parts)

    monkeypatch.setattr(memory, "_fit", heard)
    # Numbers by numpy, which takes more than numba's loops, however many were made before.
    monkeypatch.setattr(normals._Process, "loops", None)
    monkeypatch.setattr(normals, "FEW", 1 << 62)
    large, run_with = RUNS[name]
    for setting in (large // 1000 + 1, large):
        asked = run_with(setting)
        if setting < large:
            asked()  # what the first run imports and keeps
        said.clear()
        held = most_held(asked)
        assert held <= max(said)
    assert max(said) / 2 < held  # half of it would be too little
