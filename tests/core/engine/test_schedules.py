"""Step sizes that change in training: executed, recorded and accounted as in the settings."""

import json

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader, TensorDataset

from accounting import SampledSGD, sampled_epsilon
from accounting.mechanism import Mechanism
from forgetproof import checker
from forgetproof.certificates import Ledger, recorded_mechanism
from forgetproof.cli import run
from forgetproof.engine import EngineRefusal, RecordedTraining, UnlearningEngine
from tests.core.engine.examples import data, layer, names, settings

SCHEDULE = ((6, 1.0), (4, 0.8), (5, 0.6))
SIZES = [1.0] * 6 + [0.8] * 4 + [0.6] * 5 + [0.5] * 5


def scheduled(**changes):
    return settings(step_size=0.5, schedule=SCHEDULE, **changes)


def sizes_of(record):
    """The step size of every step that is executed from now on, in a list that fills."""
    made, step = [], record.steps.step

    def watched(batch):
        made.append(record.steps.step_size)
        step(batch)

    record.steps.step = watched
    return made


def test_steps_have_the_sizes_of_the_schedule_and_unlearning_has_its_own():
    record = RecordedTraining(scheduled(), layer(), *data(), names(), seed=1)
    made = sizes_of(record)
    record.train()
    assert made == SIZES
    steps = record.forget(["u3"])
    assert made == SIZES + [0.5] * steps


def test_a_step_moves_the_weights_by_its_own_size():
    """The first step from zeros, with one seed: all that it adds is proportional to its size."""
    moved = []
    for eta in (1.0, 0.25):
        schedule = settings(step_size=0.5, schedule=((1, eta),))
        record = RecordedTraining(schedule, layer(), *data(), names(), seed=3)
        record.steps.run(1, record.table.present)
        moved.append(record.model.weight.detach().clone())
    torch.testing.assert_close(moved[0], 4 * moved[1])


@pytest.mark.parametrize("steps", [20, 8, 24])
def test_what_is_accounted_is_what_was_executed(steps):
    record = RecordedTraining(scheduled(), layer(), *data(), names())
    record.train(steps)
    record.execute(record.table.positions(["u3"]), 3, 1)
    s = record.settings
    sizes = [*SIZES, *[0.5] * 10][:steps] + [0.5] * 3
    setting = SampledSGD(
        n=s.rows,
        batch_size=s.divisor,
        rate=s.rate,
        steps=steps,
        unlearning_steps=3,
        step_size=np.array(sizes),
        smoothness=s.smoothness,
        ridge=s.decay,
    )
    assert record.epsilon() == sampled_epsilon(setting, s.noise, s.delta)
    document = record.mechanism()
    recorded = [each["step_size"] for each in document["steps"] for _ in range(each["count"])]
    assert recorded == sizes
    upper = Mechanism.of_document(json.loads(json.dumps(document))).upper(s.delta)
    assert upper == pytest.approx(record.epsilon(), rel=1e-9)
    # At the least and the largest of the sizes throughout it would be another number.
    plain = [RecordedTraining(settings(step_size=x), layer(), *data(), names()) for x in (0.5, 1)]
    for other in plain:
        other.intervals[:] = record.intervals
        assert other.epsilon() != pytest.approx(record.epsilon(), rel=1e-3)


@pytest.fixture(scope="module")
def certified(tmp_path_factory):
    """The folder and engine of a scheduled training, with a deletion and its certificate."""
    folder = tmp_path_factory.mktemp("scheduled")
    engine = UnlearningEngine.open(folder, scheduled())
    engine.load(layer(), *data(), names())
    engine.train()
    engine.forget(["u3", "u5"])
    engine.release()
    return folder, engine


def test_the_ledger_says_the_sizes_and_the_checker_certifies_them(certified, capsys):
    folder, engine = certified
    (event,) = [each for each in engine.ledger.events() if each["event"] == "train"]
    assert event["step_sizes"] == [[6, 1.0], [4, 0.8], [5, 0.6], [5, 0.5]]
    document = json.loads(json.dumps(engine.mechanism()))
    assert document == recorded_mechanism(engine.ledger.history)
    files = [str(folder / name) for name in ("certificate.json", "ledger.jsonl")]
    assert run(["check", files[0], "--ledger", files[1]]) == 0
    out = capsys.readouterr().out
    assert "6 + 4 + 5 + 5 + " in out
    assert "verified: what the ledger says" in out


def test_a_ledger_whose_runs_are_not_its_steps_is_refused(certified):
    _, engine = certified
    events = engine.ledger.events()
    other = [{**e, "step_sizes": [[19, 1.0]]} if e["event"] == "train" else e for e in events]
    with pytest.raises(checker.Refused, match="ledger: step sizes of other steps"):
        checker.replay(other)


BAD_RUNS = {
    "step_sizes must be pairs": ([[20]], [[20, "1"]], {"20": 1}, [[20, 0.0]], [[20, True]]),
    "step_sizes must be of 20 steps": ([[19, 1.0]], [[20, 1.0], [1, 1.0]]),
    "step_sizes must be a whole number": ([[0, 1.0], [20, 1.0]], [[20.0, 1.0]]),
}


@pytest.mark.parametrize("words", BAD_RUNS)
def test_runs_that_are_none_are_refused_by_the_ledger(tmp_path, words):
    ledger = Ledger.open(tmp_path, {"mechanism": {}}, key=b"k" * 32)
    for runs in BAD_RUNS[words]:
        with pytest.raises(ValueError, match=words):
            ledger.append("train", steps=20, step_sizes=runs)


def test_a_folder_with_a_schedule_goes_on_with_the_size_of_unlearning(tmp_path):
    first = UnlearningEngine.open(tmp_path, scheduled(), seed=1)
    first.load(layer(), *data(), names())
    first.train()
    again = UnlearningEngine.open(tmp_path, scheduled(), seed=1)
    again.load(layer(), *data(), names())
    made = sizes_of(again.run)
    assert again.forget(["u3"]) == len(made) > 0
    assert set(made) == {0.5}
    assert again.run.epsilon() <= 1.5
    with pytest.raises(ValueError, match="settings"):
        UnlearningEngine.open(tmp_path, settings(step_size=0.5), seed=1)


def loop(folder, schedule, scheduler):
    """An Opacus-like loop of 20 steps with a scheduler of torch, which steps after every step."""
    s = settings(step_size=0.5, schedule=schedule)
    model = layer()
    sgd = torch.optim.SGD(model.parameters(), lr=s.first_step_size, weight_decay=s.decay)
    engine = UnlearningEngine.open(folder, s, seed=1)
    rows, targets = data()
    loader = DataLoader(TensorDataset(rows, targets[:, None]), batch_size=20)
    _, optimizer, loader = engine.make_private(
        module=model, optimizer=sgd, data_loader=loader, ids=names()
    )
    change = scheduler(sgd)
    # The engine makes the step; torch only counts those of the optimizer that it wraps.
    sgd._opt_called = True
    for _ in range(10):
        for _ in loader:
            optimizer.step()
            change.step()
    return engine


def test_a_scheduler_that_follows_the_settings_runs(tmp_path):
    def halves(sgd):
        return torch.optim.lr_scheduler.MultiStepLR(sgd, [10], gamma=0.5)

    engine = loop(tmp_path / "right", ((10, 1.0),), halves)
    assert engine.forget(["u3"]) > 0
    assert engine.run.executed > 20
    with pytest.raises(
        EngineRefusal, match=r"optimizer must keep lr = 1 of the settings, got 0\.5"
    ):
        loop(tmp_path / "wrong", ((12, 1.0),), halves)


WRONG = {
    "schedule must be pairs": (3, "ab", ((1, 2, 3),), (5,)),
    "schedule must be an integer": (((0, 1.0),), ((21, 1.0),), ((1.5, 1.0),), (("a", 1.0),)),
    "schedule must be > 0": (((1, 0.0),), ((1, -1.0),), ((1, float("inf")),), ((1, float("nan")),)),
    "schedule must have at most the 20 steps": (((15, 1.0), (6, 1.0)),),
}


@pytest.mark.parametrize("words", WRONG)
def test_a_schedule_that_is_none_is_refused(words):
    for schedule in WRONG[words]:
        with pytest.raises(ValueError, match=words):
            settings(schedule=schedule)
