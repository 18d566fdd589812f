"""What the account does not cover is refused by its name, before a step is made."""

import pytest
import torch
from torch.utils.data import DataLoader, IterableDataset, TensorDataset

from forgetproof.engine import EngineRefusal, RecordedTraining, UnlearningEngine
from tests.core.engine.examples import data, layer, names, settings

ANY = {"loss": "any", "epsilon": 1e9}


def criterion(prediction, target):
    return torch.nn.functional.binary_cross_entropy_with_logits(prediction, target)


def net(*layers):
    return torch.nn.Sequential(torch.nn.Linear(3, 4), *layers, torch.nn.Linear(4, 1)).double()


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (net(torch.nn.BatchNorm1d(4)), "no BatchNorm1d, which mixes the rows"),
        (net(torch.nn.SyncBatchNorm(4)), "no SyncBatchNorm, which mixes the rows"),
        (net(torch.nn.InstanceNorm1d(4)), "no InstanceNorm1d, which may keep"),
        (net(torch.nn.Dropout(0.5)), "no Dropout, which draws a mask"),
        (net(torch.nn.AlphaDropout(0.5)), "no AlphaDropout, which draws a mask"),
        (net().half(), "float32 or float64, got float16"),
        (net().bfloat16(), "float32 or float64, got bfloat16"),
    ],
    ids=lambda value: value.split(",")[0] if isinstance(value, str) else "model",
)
def test_layers_that_mix_or_keep_rows_are_refused(model, words):
    with pytest.raises(EngineRefusal, match=words):
        RecordedTraining(settings(**ANY), model, *data(), criterion=criterion)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (net(), "must be one Linear layer"),
        (layer(2), "outputs must be those of the layer"),
        (layer(bias=True), "row_bound must be above 1"),
        (layer(width=4), "rows must have 4 numbers"),
    ],
    ids=["two layers", "outputs", "a bias", "width"],
)
def test_a_model_that_is_no_head_is_refused(model, words):
    with pytest.raises(EngineRefusal, match=words):
        RecordedTraining(settings(), model, *data())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "criterion or rule must be given"),
        ({"criterion": criterion, "rule": lambda w, x, y: []}, "one of them"),
    ],
)
def test_a_model_of_any_kind_needs_one_source_of_gradients(options, words):
    with pytest.raises(EngineRefusal, match=words):
        RecordedTraining(settings(**ANY), net(), *data(), **options)


def test_a_head_takes_no_gradients_of_the_caller():
    with pytest.raises(EngineRefusal, match="must be left out with loss logistic"):
        RecordedTraining(settings(), layer(), *data(), criterion=criterion)


def test_a_rule_of_the_wrong_shape_is_refused():
    run = RecordedTraining(settings(**ANY), layer(), *data(), rule=lambda w, x, y: [x])
    with pytest.raises(EngineRefusal, match="rule must return one gradient a row"):
        run.train()


rows, targets = data()
spoilt = rows.clone()
spoilt[3, 1] = torch.nan


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((rows[:39], targets[:39]), "rows must be 40"),
        ((rows, targets[:39]), "one for every row and target"),
        ((rows, targets, names(39)), "one for every row and target"),
        ((rows, targets, ["u"] * 40), "ids must be different"),
        ((spoilt, targets), "rows must be finite"),
        ((rows, targets * torch.inf), "targets must be finite"),
        ((rows, targets * 3), "targets must be 0 and 1"),
        ((rows.half(), targets), "rows must be float32 or float64, got float16"),
        ((rows.long(), targets), "rows must be float32 or float64, got int64"),
        ((rows, targets[:, None].expand(40, 2)), "one number a row or 1 columns"),
    ],
    ids=lambda value: value if isinstance(value, str) else "rows",
)
def test_rows_that_do_not_fit_are_refused(arguments, words):
    with pytest.raises(EngineRefusal, match=words):
        RecordedTraining(settings(), layer(), *arguments)


@pytest.mark.parametrize("outputs", [1, 3])
def test_classes_are_one_column_each(outputs):
    run = RecordedTraining(settings(outputs=outputs), layer(outputs), *data(outputs))
    values = run.rule._targets
    assert values.shape == (40, outputs)
    assert set(values.unique().tolist()) == {-1.0, 1.0}
    if outputs > 1:
        assert (values.sum(dim=1) == 2 - outputs).all()
        with pytest.raises(EngineRefusal, match="classes from 0 to 2"):
            RecordedTraining(settings(outputs=3), layer(3), rows, data(3)[1] + 1)


def test_autocast_is_refused():
    run = RecordedTraining(settings(), layer(), *data())
    with (
        torch.autocast("cpu", dtype=torch.bfloat16),
        pytest.raises(EngineRefusal, match="autocast"),
    ):
        run.train()
    assert run.steps.executed == 0


def sgd(model, **options):
    fields = {"lr": 1.0, "weight_decay": 0.2, **options}
    return torch.optim.SGD(model.parameters(), **fields)


def private(folder, optimizer=None, loader=None, **changes):
    """An engine's loop with an optimizer and a loader that are made from the model."""
    model = layer()
    engine = UnlearningEngine.open(folder, settings(**changes), seed=1)
    made = DataLoader(TensorDataset(*data()), batch_size=20) if loader is None else loader
    inner = (optimizer or sgd)(model)
    return engine, inner, *engine.make_private(module=model, optimizer=inner, data_loader=made)


@pytest.mark.parametrize(
    ("optimizer", "words"),
    [
        (lambda m: sgd(m, momentum=0.9), "has momentum 0.9"),
        (lambda m: sgd(m, momentum=0.9, nesterov=True), "has momentum 0.9"),
        (lambda m: sgd(m, dampening=0.1), "has dampening 0.1"),
        (lambda m: sgd(m, maximize=True), "has maximize True"),
        (lambda m: sgd(m, lr=0.5), "keep lr = 1 of the settings, got 0.5"),
        (lambda m: sgd(m, weight_decay=0.0), "keep weight_decay = 0.2"),
        (lambda m: torch.optim.Adam(m.parameters(), lr=1.0), "optimizer is Adam: only"),
        (lambda m: torch.optim.AdamW(m.parameters(), lr=1.0), "optimizer is AdamW: only"),
        (lambda m: torch.optim.Adagrad(m.parameters(), lr=1.0), "optimizer is Adagrad: only"),
        (lambda m: torch.optim.RMSprop(m.parameters(), lr=1.0), "optimizer is RMSprop: only"),
        (
            lambda m: torch.optim.SGD([{"params": [p]} for p in layer(bias=True).parameters()], 1),
            "has 2 parameter groups",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "optimizer",
)
def test_optimizers_that_are_not_plain_sgd_are_refused(tmp_path, optimizer, words):
    with pytest.raises(EngineRefusal, match=words):
        private(tmp_path, optimizer)


@pytest.mark.filterwarnings("ignore:Detected call of `lr_scheduler.step")
def test_a_scheduler_is_refused_at_the_step_that_it_changes(tmp_path):
    engine, inner, _, optimizer, loader = private(tmp_path)
    scheduler = torch.optim.lr_scheduler.StepLR(inner, step_size=1, gamma=0.5)
    batches = iter(loader)
    next(batches)
    optimizer.step()
    scheduler.step()
    next(batches)
    with pytest.raises(EngineRefusal, match=r"keep lr = 1 of the settings, got 0\.5"):
        optimizer.step()
    assert engine.run.steps.executed == 1


def test_a_batch_without_a_step_is_refused(tmp_path):
    _, _, _, _, loader = private(tmp_path)
    batches = iter(loader)
    next(batches)
    with pytest.raises(EngineRefusal, match="must step after every batch"):
        next(batches)


def test_training_does_not_end_with_a_batch_that_was_looked_at(tmp_path):
    engine, _, _, optimizer, loader = private(tmp_path)
    for _ in loader:
        optimizer.step()
    next(iter(loader))
    with pytest.raises(EngineRefusal, match="must step after every batch"):
        engine.forget([0])
    optimizer.step()
    engine.forget([0])


def test_a_step_without_a_batch_is_refused(tmp_path):
    engine, _, _, optimizer, loader = private(tmp_path)
    next(iter(loader))
    optimizer.step()
    with pytest.raises(EngineRefusal, match="must step once a batch"):
        optimizer.step()
    with pytest.raises(EngineRefusal, match="closure must be left out"):
        optimizer.step(lambda: 0.0)
    assert engine.run.steps.executed == 1


def test_a_loop_ends_with_the_first_request(tmp_path):
    engine, _, _, optimizer, loader = private(tmp_path)
    for _ in loader:
        optimizer.step()
    engine.forget([0])
    with pytest.raises(EngineRefusal, match="training has ended"):
        next(iter(loader))
    with pytest.raises(EngineRefusal, match="training has ended"):
        optimizer.step()


def test_gradients_of_the_caller_are_not_used(tmp_path):
    engine, _, model, optimizer, loader = private(tmp_path)
    next(iter(loader))
    model.weight.grad = torch.full_like(model.weight, 1e9)
    optimizer.step()
    assert model.weight.abs().max() < 10
    assert engine.run.steps.executed == 1


class Endless(IterableDataset):
    def __iter__(self):
        yield rows[0], targets[0]


@pytest.mark.parametrize(
    ("loader", "words"),
    [
        (DataLoader(Endless()), "a data set with places"),
        (
            DataLoader(TensorDataset(*data()), collate_fn=lambda pairs: pairs),
            "collate as torch does",
        ),
        (DataLoader(TensorDataset(rows)), "pairs of a row and its target"),
    ],
    ids=["endless", "mixup", "without targets"],
)
def test_loaders_that_may_mix_rows_are_refused(tmp_path, loader, words):
    with pytest.raises(EngineRefusal, match=words):
        private(tmp_path, loader=loader)


def test_steps_that_leave_the_floats_are_an_error():
    run = RecordedTraining(settings(step_size=1e30, decay=1.0), layer(), *data())
    with pytest.raises(ValueError, match="must keep the weights finite"):
        run.train()
