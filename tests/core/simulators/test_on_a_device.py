"""A device's noise, blocks and graphs: the CPU's words, few submissions, bounded memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from simulators.data.dataset import Dataset
from simulators.device.placement import device_named
from simulators.domains import Ball, Box
from simulators.engine import noisy_descent as engine
from simulators.engine.blocks import natural_size
from simulators.engine.noisy_descent import Machine, Phase, run_coupled
from simulators.langevin.unlearning import learn_unlearn
from simulators.losses.logistic import Logistic
from simulators.losses.quadratic import Quadratic
from simulators.losses.ridge import Ridge
from simulators.losses.softmax import Softmax
from simulators.random import normals, philox, philox_tensors
from simulators.random.normals import Normals
from simulators.streaming.risk import Risk
from simulators.trajectory.linear_score import LinearScore
from simulators.trajectory.recursion import _sizes
from simulators.trajectory.training import Training, batches_of
from tests.core.simulators.fake_device import CUDA, fake_device

CPU = torch.device("cpu")
KINDS = {"double": (np.float64, torch.float64), "single": (np.float32, torch.float32)}
WORD = st.integers(0, 2**32 - 1) | st.sampled_from([0, 1, 2**31, 2**32 - 1])
ROWS = np.random.default_rng(0).normal(size=(12, 6))
CLASSES = Dataset(ROWS, np.arange(12.0) % 3)
SIGNED = Dataset(ROWS, np.where(np.arange(12) % 2, 1.0, -1.0))
NEXT = Dataset(np.concatenate([[ROWS[1]], ROWS[1:]]), SIGNED.targets)
LOSSES = {
    "logistic": (Logistic(0.1, 0.3), SIGNED),
    "ridge": (Ridge(0.1), SIGNED),
    "softmax": (Softmax(3, 0.1, 0.5), CLASSES),
    "quadratic": (Quadratic(0.5), SIGNED),
}
SETTINGS: dict[str, Any] = {"sigma": 0.3, "step_size": 0.1, "batch_size": 4, "seed": 3}


@given(WORD, WORD, WORD, WORD, WORD)
def test_signed_tensors_give_the_published_words(trial, step, group, first, second):
    given_ = [torch.tensor([word]) for word in (trial, step, group)]
    found = philox_tensors.words(*given_, philox_tensors.round_keys((first, second), CPU))
    arrays = (np.array([w], dtype=np.uint64) for w in (trial, step, group, 0, first, second))
    assert [int(w) for w in found] == [int(w[0]) for w in philox.philox(*arrays)]


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@settings(max_examples=20, deadline=None)
@given(
    rows=st.integers(1, 9),
    trials=st.integers(1, 70),
    first=st.sampled_from([0, 5, 2**32 - 100]),
    start=st.integers(0, 2**32 - 5),
    key=st.tuples(WORD, WORD),
)
def test_a_devices_numbers_are_the_cpus_up_to_roundings(kind, rows, trials, first, start, key):
    array, tensor = kind
    wanted = normals.numbers(key, (rows, trials), first, range(start, start + 3), array)
    found = philox_tensors.numbers(
        torch.arange(first, first + trials),
        torch.arange(start, start + 3),
        rows,
        philox_tensors.round_keys(key, CPU),
        tensor,
    )
    assert found.dtype == tensor
    np.testing.assert_allclose(found.numpy(), wanted, rtol=0, atol=64 * np.finfo(array).eps)


@pytest.mark.parametrize("told", [True, False], ids=["told", "untold"])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_the_steps_go_on_however_they_are_asked_for(kind, told, monkeypatch):
    """Panels, loops told beforehand or not, and scales that change between two steps."""
    monkeypatch.setitem(normals.PANEL, "cuda", 60)
    here = Normals((1, 2), (5, 4), CPU, kind[1], first=7)
    with fake_device():
        there = Normals((1, 2), (5, 4), CUDA, kind[1], first=7)
        for steps, scale in ((1, 1.0), (7, 1.0), (2, 0.5), (9, 0.5)):
            if told:
                there.ahead(steps)
            for _ in range(steps):
                found = there.next(scale).cpu().numpy()
                wanted = here.next(scale).numpy()
                np.testing.assert_allclose(found, wanted, rtol=0, atol=64 * np.finfo(kind[0]).eps)


def played(device: str, epochs: int, **changed: Any) -> Any:
    given_ = {**SETTINGS, "trials": 5, "domain": Ball(1.5), **changed}
    return learn_unlearn(
        Logistic(0.1),
        SIGNED,
        NEXT,
        learn_epochs=epochs,
        unlearn_epochs=23,
        device=device,
        **given_,
    )


def test_an_epoch_is_submitted_at_once_and_waits_for_nothing():
    """At most 3 submissions a step are asked for; a graph needs one for 66 steps."""
    found = []
    for epochs in (44, 66):
        with fake_device() as counts:
            played("cuda", epochs)
        found.append(counts)
    short, long = found
    assert long.launches.total() - short.launches.total() == 22 * 3 / 66
    assert (long.replayed.total() - short.replayed.total()) / (22 * 3) <= 18
    assert long.syncs.total() == short.syncs.total()
    assert long.uploads.total() == short.uploads.total()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_replayed_epochs_have_the_values_of_the_cpu(dtype):
    """Phases that end within a recording, and a second block of trials."""
    here = played("cpu", 70, dtype=dtype)
    with fake_device() as counts:
        there = played("cuda", 70, dtype=dtype, block=3)
    assert counts.launches["graph"] == 2 * 2
    for name in ("learned", "unlearned"):
        wanted = getattr(here, name)
        np.testing.assert_allclose(
            getattr(there, name), wanted, rtol=0, atol=1e3 * np.finfo(wanted.dtype).eps
        )


def test_runs_that_end_at_their_own_steps_are_recorded_apart():
    """A phase of any length begins with the first batch; a run at rest stays where it is."""

    def run(device: str) -> list[np.ndarray]:
        runs = [[Phase(SIGNED, 133), Phase(NEXT, 70)], [Phase(NEXT, 136)]]
        traces = run_coupled(
            Logistic(0.1),
            runs,
            batches=np.arange(12).reshape(3, 4),
            step_size=0.1,
            noise=0.2,
            domain=Box(-1.0, 1.0),
            initials=[np.zeros(6), np.full(6, 0.1)],
            trials=3,
            seed=0,
            machine=Machine(device),
        )
        return [snapshot for trace in traces for snapshot in trace.snapshots]

    here = run("cpu")
    with fake_device() as counts:
        there = run("cuda")
    assert counts.launches["graph"] == 1
    for found, wanted in zip(there, here, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("domain", [Ball(1.0), None], ids=["ball", "space"])
@pytest.mark.parametrize("block", [64, 4096])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", LOSSES)
def test_a_run_takes_no_more_memory_than_it_asks_for(name, dtype, block, domain):
    loss, data = LOSSES[name]

    def run(memory: float) -> None:
        learn_unlearn(
            loss,
            data,
            data,
            learn_epochs=2,
            unlearn_epochs=1,
            trials=block,
            block=block,
            domain=domain,
            dtype=dtype,
            device="cuda",
            memory=memory,
            **SETTINGS,
        )

    with fake_device() as counts:
        with pytest.raises(ValueError, match=r"memory must be >= (\d+)") as error:
            run(1.0)
        asked = int(str(error.value).split()[4])
        run(asked)
    assert counts.peak <= asked


@pytest.mark.parametrize(
    ("entries", "trials", "size"),
    [(192, 1, 1024), (192, 1024, 1024), (192, 1025, 2048), (192, 10**6, 65536),
     (2**15, 10**6, 512), (2**30, 5, 64)],
    ids=["one", "few", "more", "many", "large-problem", "huge-problem"],
)  # fmt: skip
def test_blocks_of_a_device_are_near_the_number_of_trials(entries, trials, size):
    assert natural_size(entries, CUDA, trials) == size
    assert natural_size(entries, CPU, trials) == natural_size(entries, CPU)


def test_later_trials_of_a_run_are_those_of_the_cpu():
    """Whole blocks before them, however large a block of the device would be."""
    more = {"learn_epochs": 1, "unlearn_epochs": 1, "trials": 1200, **SETTINGS}
    whole = learn_unlearn(Logistic(0.1), SIGNED, NEXT, **{**more, "trials": 1712}, device="cpu")
    with fake_device():
        part = learn_unlearn(Logistic(0.1), SIGNED, NEXT, **more, first_trial=512, device="cuda")
    assert np.abs(part.unlearned - whole.unlearned[512:]).max() < 1e-12


@pytest.mark.parametrize(
    ("launches", "seconds", "place"),
    [(0, 2.1, "cuda"), (0, 1.9, "cpu"), (10**6, 6.9, "cpu"), (10**6, 7.1, "cuda")],
    ids=["long", "short", "many-launches", "longer-than-its-launches"],
)
def test_auto_takes_the_device_where_the_work_is_worth_it(launches, seconds, place):
    with fake_device():
        assert device_named("auto", launches, seconds).type == place
        assert device_named("cuda", launches, seconds).type == "cuda"
        assert device_named("cpu", launches, seconds).type == "cpu"
    assert device_named("auto", launches, seconds).type == "cpu"


def test_auto_weighs_trials_and_steps(monkeypatch):
    """855 ns a trial-step of 64 parameters and 128 rows: about 2.3 million of them are 2 s."""
    asked: list[tuple[float, float]] = []

    def told(name: object, launches: float, seconds: float) -> torch.device:
        asked.append((launches, seconds))
        return CPU

    monkeypatch.setattr(engine, "device_named", told)
    data = Dataset(np.zeros((128, 64)), np.ones(128))
    for trials, epochs, threads in ((1, 1, 1), (64, 2, 1), (64, 2, 4)):
        learn_unlearn(
            Logistic(0.1),
            data,
            data,
            learn_epochs=epochs,
            unlearn_epochs=epochs,
            trials=trials,
            threads=threads,
            **{**SETTINGS, "batch_size": 128},
        )
    assert [launches for launches, _ in asked] == [40, 80, 80]
    wanted = [2 * 819e-9, 4 * 52.4e-6, 52.4e-6]
    assert [seconds for _, seconds in asked] == pytest.approx(wanted, rel=1e-2)


def test_blocks_of_lines_and_of_risks_fill_a_device():
    """More at a time there than in a CPU's cache, and no more than there are."""
    data = Dataset(np.zeros((3000, 2)), np.ones(3000))
    training = Training(batches_of(3000, 1000, 2, seed=1), np.full(6, 0.1), np.zeros(2))
    sizes = {}
    for place in ("cpu", "cuda"):
        with fake_device():
            model, risk = LinearScore(Logistic(0.1), data, place), Risk(data, Logistic(0.1), place)
            sizes[place] = _sizes(model, training, 3000, 1e9)[0], risk.block(3), risk.block(100)
    assert sizes == {"cpu": (262, 8, 8), "cuda": (3000, 4, 128)}
