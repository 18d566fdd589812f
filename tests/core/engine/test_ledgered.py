"""The engine and its ledger: what is reserved is run, by whom and when ever; nothing runs twice."""

import hashlib
import json
import shutil

import numpy as np
import pytest
import torch

from accounting.mechanism import Mechanism
from forgetproof.certificates import LedgerConflict, recorded_mechanism
from forgetproof.certificates.process import run_checker
from forgetproof.engine import EngineRefusal, Interval, UnlearningEngine
from forgetproof.engine.planning import certified
from tests.core.engine.examples import data, layer, names, settings


def opened(folder, model=None, rows=None, seed=1, **changes):
    """An engine with its rows, in a folder that may have a past.

    With a seed nothing is certified, so that no plan waits for the checker.
    """
    engine = UnlearningEngine.open(folder, settings(**changes), seed=seed)
    engine.load(model or layer(), *(rows or data()), names())
    return engine


def trained(folder, **options):
    engine = opened(folder, **options)
    engine.train()
    return engine


def kinds(engine):
    return [each["event"] for each in engine.ledger.events()]


def crash(engine, after):
    """Requests u3, and dies after so many of the steps that the request takes."""
    step = engine.run.steps.step
    made = []

    def dying(batch):
        if len(made) == after:
            raise KeyboardInterrupt
        made.append(batch)
        step(batch)

    engine.run.steps.step = dying
    with pytest.raises(KeyboardInterrupt):
        engine.forget(["u3", "u5"])


@pytest.mark.parametrize("after", [0, 2])
def test_a_request_that_was_reserved_is_run_when_the_folder_is_opened_again(tmp_path, after):
    engine = trained(tmp_path)
    weights = engine.run.model.weight.detach().clone()
    crash(engine, after)
    assert kinds(engine) == ["open", "train", "request"]
    model = layer()
    again = opened(tmp_path, model)
    assert kinds(again) == ["open", "train", "request", "unlearned"]
    planned = again.ledger.events()[2]["steps"]
    assert [each.steps for each in again.run.intervals] == [20, planned]
    assert planned > 2
    # From the state before the request, with noise that the first process has not drawn.
    assert again.run.steps.executed == planned
    assert not torch.equal(model.weight, weights)
    with pytest.raises(EngineRefusal, match="which has left"):
        again.forget(["u3"])
    again.forget(["u8"])


def test_two_recoveries_of_one_crash_draw_different_noise(tmp_path):
    engine = trained(tmp_path / "first", seed=None)
    crash(engine, 1)
    shutil.copytree(tmp_path / "first", tmp_path / "second")
    models = [layer(), layer()]
    for folder, model in zip(("first", "second"), models, strict=True):
        opened(tmp_path / folder, model, seed=None)
    assert not torch.equal(models[0].weight, models[1].weight)


def test_a_training_that_did_not_end_begins_anew(tmp_path):
    engine = opened(tmp_path)
    engine.run.steps.run(5, engine.run.table.present)
    again = opened(tmp_path)
    assert again.train() == 20
    assert kinds(again) == ["open", "train"]


def test_a_state_is_taken_up_as_it_was_left(tmp_path):
    engine = trained(tmp_path)
    engine.forget(["u3"])
    model = layer()
    again = opened(tmp_path, model)
    assert torch.equal(model.weight, engine.run.model.weight)
    assert again.run.intervals == engine.run.intervals
    assert (again.run.table.present == engine.run.table.present).all()
    assert again.run.epsilon() == engine.run.epsilon()


def test_only_the_last_state_is_kept_and_its_owner_alone_reads_it(tmp_path):
    engine = trained(tmp_path)
    (first,) = tmp_path.glob("state-*.npz")
    engine.forget(["u3"])
    (last,) = tmp_path.glob("state-*.npz")
    assert first != last
    assert last.stat().st_mode & 0o077 == 0


def test_an_old_state_in_a_new_folder_is_refused(tmp_path):
    engine = trained(tmp_path / "folder")
    shutil.copytree(tmp_path / "folder", tmp_path / "copy")
    engine.forget(["u3"])
    for path in (tmp_path / "folder").glob("state-*.npz"):
        path.unlink()
    for path in (tmp_path / "copy").glob("state-*.npz"):
        shutil.copy(path, tmp_path / "folder")
    with pytest.raises(EngineRefusal, match="must have the state of the ledger's last line"):
        opened(tmp_path / "folder")


def test_an_edited_state_is_refused(tmp_path):
    trained(tmp_path)
    (path,) = tmp_path.glob("state-*.npz")
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    with pytest.raises(EngineRefusal, match="must have the state"):
        opened(tmp_path)


def test_other_rows_are_refused(tmp_path):
    trained(tmp_path)
    rows, targets = data()
    with pytest.raises(EngineRefusal, match="rows must be those of the training"):
        opened(tmp_path, rows=(rows + 1e-9, targets))


def test_another_order_of_ids_is_noticed_where_a_row_has_left(tmp_path):
    engine = trained(tmp_path)
    engine.forget(["u3"])
    again = UnlearningEngine.open(tmp_path, settings(), seed=1)
    with pytest.raises(EngineRefusal, match="ids must be those of the training"):
        again.load(layer(), *data(), [f"v{at}" for at in range(40)])


@pytest.mark.parametrize("change", [{"noise": 8.0}, {"epsilon": 2.0}, {"rate": 0.4}])
def test_settings_do_not_change(tmp_path, change):
    trained(tmp_path)
    with pytest.raises(ValueError, match="settings must be those"):
        UnlearningEngine.open(tmp_path, settings(**change))


def test_a_secret_folder_does_not_go_on_with_a_seed(tmp_path):
    trained(tmp_path, seed=None)
    with pytest.raises(ValueError, match="settings must be those"):
        UnlearningEngine.open(tmp_path, settings(), seed=1)


def test_a_seed_runs_and_is_recorded_and_not_certified(tmp_path):
    engine = trained(tmp_path)
    engine.forget(["u3"])
    noise = engine.mechanism()["steps"][0]["noise"]
    assert (noise["drawn"], noise["seed"]) == ("public", "chosen")
    (verdict,) = Mechanism.of_document(engine.mechanism()).verdicts()
    assert verdict.word == "false"
    with pytest.raises(EngineRefusal, match="seed must be secret"):
        engine.release()
    assert "release" not in kinds(engine)
    assert engine.release(certificate=False).certificate is None


def test_of_two_processes_one_runs_the_request(tmp_path):
    trained(tmp_path)
    first, second = opened(tmp_path), opened(tmp_path)
    first.forget(["u3"])
    before = second.run.model.weight.detach().clone()
    with pytest.raises(LedgerConflict):
        second.forget(["u5"])
    assert torch.equal(second.run.model.weight, before)
    assert second.run.table.present.all()


def test_no_id_stands_in_the_folder(tmp_path):
    engine = UnlearningEngine.open(tmp_path, settings())
    ids = [f"patient-{at}" for at in range(40)]
    engine.load(layer(), *data(), ids)
    engine.train()
    engine.forget(ids[3:5])
    engine.release()
    for path in tmp_path.iterdir():
        assert b"patient" not in path.read_bytes()


@pytest.mark.parametrize(
    ("ids", "words"),
    [
        ([], "one or more"),
        ("u3", "a list of them"),
        (["u3", "u3"], "twice"),
        (["u99"], "those of rows of the training"),
        ([3.5], "text or whole numbers"),
        ([True], "text or whole numbers"),
        (names(), "leave a row"),
    ],
)
def test_ids_that_cannot_leave_change_nothing(tmp_path, ids, words):
    engine = trained(tmp_path)
    before = engine.run.model.weight.detach().clone()
    with pytest.raises(EngineRefusal, match=f"ids must.*{words}"):
        engine.forget(ids)
    assert kinds(engine) == ["open", "train"]
    assert torch.equal(engine.run.model.weight, before)


def test_a_row_that_left_is_not_forgotten_again(tmp_path):
    engine = trained(tmp_path)
    engine.forget(["u3"])
    with pytest.raises(EngineRefusal, match="which has left"):
        engine.forget(["u4", "u3"])


def test_numbers_of_numpy_are_ids(tmp_path):
    engine = UnlearningEngine.open(tmp_path, settings(), seed=1)
    engine.load(layer(), *data(), np.arange(40))
    engine.train()
    engine.forget(np.array([3]))
    assert not engine.run.table.present[3]


def test_a_request_beyond_its_steps_changes_nothing(tmp_path):
    engine = trained(tmp_path, most_steps=2)
    with pytest.raises(EngineRefusal, match="no plan of at most 2 steps"):
        engine.forget(["u1", "u2", "u3"])
    assert kinds(engine) == ["open", "train"]


def test_before_training_it_is_said_that_no_plan_is_cheaper(tmp_path):
    engine = UnlearningEngine.open(tmp_path, settings(noise=0.3, decay=0.01), seed=1)
    with pytest.raises(EngineRefusal, match="retrain"):
        engine.load(layer(), *data(), names())
    assert kinds(engine) == ["open"]


def test_the_outlook_is_the_plan_of_the_request(tmp_path):
    engine = trained(tmp_path, deletions=2)
    assert engine.outlook.cheaper
    assert engine.forget(["u3", "u5"]) == engine.outlook.steps
    assert engine.run.epsilon() == engine.outlook.epsilon <= 1.5


def test_a_plan_is_the_fewest_steps(tmp_path):
    engine = trained(tmp_path)
    steps = engine.plan(["u3", "u5"]).steps
    fewer = [*engine.run.intervals, Interval(steps - 1, 2)]
    assert certified(engine.settings, fewer) > engine.settings.epsilon
    assert engine.run.intervals == [Interval(20)]


@pytest.mark.parametrize(
    "call",
    [
        lambda e: e.train(),
        lambda e: e.forget(["u1"]),
        lambda e: e.release(),
        lambda e: e.mechanism(),
    ],
    ids=["train", "forget", "release", "mechanism"],
)
def test_before_load_nothing_can_be_done(tmp_path, call):
    engine = UnlearningEngine.open(tmp_path, settings())
    with pytest.raises(EngineRefusal, match="load must come first"):
        call(engine)


@pytest.mark.parametrize("steps", [0, -1, 2.5, True, 10**6 + 1])
def test_a_number_of_steps_that_is_none_is_refused(tmp_path, steps):
    engine = opened(tmp_path)
    with pytest.raises(ValueError, match=r"^steps must"):
        engine.train(steps)
    assert engine.run.steps.executed == 0


def test_settings_of_numpy_are_those_of_python(tmp_path):
    plain = settings()
    numbers = {k: np.asarray(v)[()] for k, v in vars(plain).items() if isinstance(v, int | float)}
    assert settings(**numbers) == plain
    UnlearningEngine.open(tmp_path, settings(**numbers))


def test_training_comes_once(tmp_path):
    engine = trained(tmp_path)
    with pytest.raises(EngineRefusal, match="train must come once"):
        engine.train()
    with pytest.raises(EngineRefusal, match="load must come once"):
        engine.load(layer(), *data(), names())


def test_a_request_comes_after_training(tmp_path):
    with pytest.raises(EngineRefusal, match="after training"):
        opened(tmp_path).forget(["u1"])


def test_a_released_model_is_that_of_the_ledger(tmp_path):
    engine = trained(tmp_path)
    engine.forget(["u3"])
    release = engine.release(certificate=False)
    (event,) = [each for each in engine.ledger.events() if each["event"] == "release"]
    assert event["model"] == release.digest
    assert hashlib.sha256(release.model.read_bytes()).hexdigest() == release.digest
    state = torch.load(release.model, weights_only=True)
    assert torch.equal(state["weight"], engine.run.model.weight)


@pytest.mark.parametrize("name", ["model", "../model.pt", "model.txt"])
def test_a_model_goes_into_the_folder(tmp_path, name):
    engine = trained(tmp_path)
    with pytest.raises(ValueError, match="name must"):
        engine.release(name)


def test_what_was_released_before_is_in_the_odometer(tmp_path):
    engine = trained(tmp_path)
    engine.release()
    engine.forget(["u3"])
    spent = engine.spent()
    assert spent["last"] <= 1.5 < spent["all"]
    assert engine.mechanism()["released"] == [20]


def test_the_ledger_s_mechanism_is_the_engine_s(tmp_path):
    engine = trained(tmp_path)
    engine.forget(["u3"])
    engine.release(certificate=False)
    engine.forget(["u5", "u8"])
    document = json.loads(json.dumps(engine.mechanism()))
    assert document == recorded_mechanism(engine.ledger.history)
    assert Mechanism.of_document(document).document() == document
    assert [each["sees"] for each in document["steps"]] == [3, 2, 0]
    assert document["relation"] == {"adjacency": "zero", "rows": 3, "reference": "N+K"}


@pytest.mark.parametrize(
    ("interfere", "words"),
    [
        (lambda model: model.weight.data.mul_(0.5), "as the last step left them"),
        (lambda model: model.load_state_dict(layer().state_dict()), "as the last step left them"),
    ],
    ids=["an average", "a loaded state"],
)
def test_weights_that_something_else_has_changed_are_refused(tmp_path, interfere, words):
    engine = trained(tmp_path)
    interfere(engine.run.model)
    for call in (lambda: engine.forget(["u1"]), engine.release):
        with pytest.raises(EngineRefusal, match=words):
            call()
    assert kinds(engine) == ["open", "train"]


def test_a_certificate_is_what_the_checker_certifies(tmp_path):
    engine = trained(tmp_path, seed=None, features="sha256 of a backbone")
    engine.forget(["u3"])
    first = engine.release().certificate
    assert run_checker([str(first), "--ledger", str(engine.ledger.path)]).returncode == 0
    engine.forget(["u5", "u8"])
    release = engine.release()
    checked = run_checker([str(release.certificate), "--ledger", str(engine.ledger.path)])
    assert checked.returncode == 0, checked.stdout
    predicate = json.loads(release.certificate.read_text())["predicate"]
    assert predicate["claim"]["epsilon"] <= 1.5
    assert predicate["sharper"]["epsilon"] == engine.run.epsilon() < predicate["claim"]["epsilon"]
    assert predicate["mechanism"]["steps"] == engine.mechanism()["steps"]
    assert len(predicate["conditions"]) == 2
    assert predicate["conditions"][1].endswith("sha256 of a backbone")
    assert "<html" in release.sheet.read_text("utf-8")
    # A model of which the ledger says nothing is noticed.
    release.model.write_bytes(release.model.read_bytes() + b"!")
    assert run_checker([str(release.certificate)]).returncode == 1


def test_what_the_checker_does_not_cover_is_released_without_a_certificate(tmp_path):
    engine = UnlearningEngine.open(tmp_path, settings(loss="any", epsilon=1e9))
    engine.load(
        layer(), *data(), names(), rule=lambda w, x, y: [x[:, None, :] * (x @ w[0].T)[..., None]]
    )
    engine.train()
    engine.forget(["u3"])
    with pytest.raises(EngineRefusal, match="which the checker does not cover"):
        engine.release()
    assert engine.release(certificate=False).certificate is None


def test_before_a_row_has_left_there_is_no_certificate(tmp_path):
    assert trained(tmp_path, seed=None).release().certificate is None
