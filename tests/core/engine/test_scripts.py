"""Scripts of many shapes: what is recorded is what was executed, counted by torch itself.

torch counts the writes to a tensor in its `_version`.  A step is one write to each of the weights,
and nothing else writes to them between `begun` and the end of a script.
"""

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader, TensorDataset

from forgetproof.engine import RecordedTraining, UnlearningEngine
from tests.core.engine.examples import data, layer, names, settings

SCRIPTS = {}


class Watch:
    """The writes to the weights of a model, and the rows of all batches, from now on."""

    def __init__(self, run):
        self.weights = run.rule.weights
        self.versions = [each._version for each in self.weights]
        self.batches, self.noises = [], []
        clipped, normals = run.rule.clipped_sum, run.source.normals

        def seen(batch):
            self.batches.append(set(batch.tolist()))
            return clipped(batch)

        def drawn(like):
            noise = normals(like)
            self.noises.append(noise.clone())
            return noise

        run.rule.clipped_sum, run.source.normals = seen, drawn

    @property
    def writes(self):
        (count,) = {
            each._version - before for each, before in zip(self.weights, self.versions, strict=True)
        }
        return count


def script(function):
    SCRIPTS[function.__name__.replace("_", " ")] = function
    return function


SEED = 5  # nothing is certified with it, so that no plan waits for the checker


def watched(folder, s, model, rows, targets, seed=SEED, **options):
    engine = UnlearningEngine.open(folder, s, seed=seed)
    engine.load(model, rows, targets, names(), **options)
    return engine, Watch(engine.run)


def plain(requests=(("u3",),), fields=None, *, outputs=1, signs=True, bias=False, **options):
    """Training as the settings say, then requests."""
    dtype = options.pop("dtype", torch.float64)

    def run(folder):
        s = settings(outputs=outputs, **(fields or {}))
        model = layer(outputs, bias, dtype)
        engine, watch = watched(folder, s, model, *data(outputs, signs, dtype=dtype), **options)
        engine.train()
        for ids in requests:
            engine.forget(ids)
        return engine, watch

    return run


def criterion(prediction, target):
    return torch.nn.functional.binary_cross_entropy_with_logits(prediction[:, 0], target)


def closed_form(weights, rows, targets):
    slopes = (rows @ weights[0].T).sigmoid() - targets[:, None]
    return [slopes[:, :, None] * rows[:, None, :]]


ANY = {"loss": "any", "epsilon": 1e9}
SCRIPTS |= {
    "one request": plain(),
    "one request with secret noise": plain(seed=None),
    "two requests": plain([("u3",), ("u5", "u8")]),
    "three requests, a row each": plain([("u3",), ("u5",), ("u8",)]),
    "one request of four rows": plain([("u1", "u2", "u3", "u4")]),
    "no request": plain([]),
    "single precision": plain(dtype=torch.float32),
    "with a bias": plain(bias=True, fields={"row_bound": 2.0}),
    "four classes": plain(outputs=4),
    "four classes with a bias": plain(outputs=4, bias=True, fields={"row_bound": 1.5}),
    "squares": plain(signs=False, fields={"loss": "squares", "step_size": 0.5, "decay": 0.4}),
    "huber of two outputs": plain(
        outputs=2, signs=False, fields={"loss": "huber", "step_size": 0.5, "decay": 0.4}
    ),
    "hinge": plain(fields={"loss": "hinge", "step_size": 0.25, "decay": 0.8}),
    "squared hinge": plain(fields={"loss": "squared_hinge", "step_size": 0.5, "decay": 0.4}),
    "a ball": plain(fields={"radius": 0.05}),
    "every row in every batch": plain(fields={"rate": 1.0, "divisor": 40}),
    "rare rows": plain(fields={"rate": 0.05, "divisor": 2, "noise": 8.0}),
    "another clip": plain(fields={"clip": 0.1}),
    "a target that training meets": plain(fields={"epsilon": 9.0}),
    "gradients by autograd": plain(fields=ANY, criterion=criterion),
    "gradients by a rule": plain(fields=ANY, rule=closed_form),
}


@script
def fewer_steps_than_the_settings_say(folder):
    engine, watch = watched(folder, settings(), layer(), *data())
    engine.train(7)
    engine.forget(["u0"])
    return engine, watch


@script
def releases_in_between(folder):
    engine, watch = watched(folder, settings(), layer(), *data())
    engine.train()
    engine.release()
    engine.forget(["u0"])
    engine.release("model.npz", certificate=False)
    return engine, watch


@script
def two_layers_of_any_kind(folder):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    engine, watch = watched(folder, settings(**ANY), model.double(), *data(), criterion=criterion)
    engine.train()
    engine.forget(["u0"])
    return engine, watch


@script
def a_layer_that_stays(folder):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    model[0].requires_grad_(False)
    engine, watch = watched(folder, settings(**ANY), model.double(), *data(), criterion=criterion)
    engine.train(5)
    return engine, watch


def loop(epochs, requests=(), fields=None, each=None, **options):
    """A loop in the habits of Opacus."""

    def run(folder):
        s = settings(**(fields or {}))
        rows, targets = data()
        model = layer()
        sgd = torch.optim.SGD(model.parameters(), lr=s.step_size, weight_decay=s.decay)
        engine = UnlearningEngine.open(folder, s, seed=SEED)
        model, optimizer, loader = engine.make_private(
            module=model,
            optimizer=sgd,
            data_loader=DataLoader(TensorDataset(rows, targets[:, None]), batch_size=20),
            ids=names(),
            **options,
        )
        watch = Watch(engine.run)
        for _ in range(epochs):
            for x, y in loader:
                optimizer.zero_grad()
                loss = torch.nn.functional.binary_cross_entropy_with_logits(model(x), y)
                loss.backward()
                optimizer.step()
                if each is not None and each(engine.run.steps.executed):
                    break
        for ids in requests:
            engine.forget(ids)
        return engine, watch

    return run


def by_column(prediction, target):
    return torch.nn.functional.binary_cross_entropy_with_logits(prediction, target)


SCRIPTS |= {
    "a loop": loop(10, [("u3",)]),
    "a loop of one epoch": loop(1, [("u3",)]),
    "a loop that breaks": loop(4, [("u3",)], each=lambda executed: executed % 2),
    "a loop of rare rows": loop(1, [("u3",), ("u4",)], {"rate": 0.05, "divisor": 2, "noise": 8.0}),
    "a loop of any loss": loop(3, [("u3",)], ANY, criterion=by_column),
}


@script
def a_folder_that_is_opened_again(folder):
    first, _ = watched(folder, settings(), layer(), *data())
    first.train()
    first.forget(["u0"])
    again, watch = watched(folder, settings(), layer(), *data())
    again.forget(["u5"])
    # What the first process did is in the record and not in this one's count.
    past = again.run.intervals[:2]
    assert past == first.run.intervals
    assert watch.writes == again.run.intervals[2].steps
    again.run.intervals[:2] = []
    return again, watch


def estimator(kind, loss):
    from forgetproof import sklearn

    def run(folder):
        rows, targets = data(signs=kind == "Classifier")
        model = getattr(sklearn, f"Forgetting{kind}")(
            loss, epsilon=1.5, noise=4.0, steps=20, row_bound=2.0
        )
        watches = []
        train = RecordedTraining.train

        def watching(self, steps=None):
            watches.append(Watch(self))
            return train(self, steps)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(RecordedTraining, "train", watching)
            model.fit(rows.numpy(), targets.numpy().ravel(), ids=names())
        model.forget(["u3"])
        return model._run, watches[0]

    return run


SCRIPTS |= {
    "an estimator, logistic": estimator("Classifier", "logistic"),
    "an estimator, hinge": estimator("Classifier", "hinge"),
    "an estimator, ridge": estimator("Regressor", "squares"),
    "an estimator, huber": estimator("Regressor", "huber"),
}


def test_there_are_thirty_shapes():
    assert len(SCRIPTS) >= 30


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_is_recorded_is_what_was_executed(name, tmp_path):
    engine, watch = SCRIPTS[name](tmp_path / "ledger")
    run = getattr(engine, "run", engine)
    if not run.intervals:
        engine.end_training()
    assert watch.writes == run.executed > 0
    # One batch a step, and noise of its own for each of the weights.
    assert len(watch.batches) == run.executed
    assert len(watch.noises) == run.executed * len(watch.weights)
    sums = [float(noise.sum()) for noise in watch.noises]
    assert len(set(sums)) == len(sums)
    if isinstance(engine, UnlearningEngine):
        _insist_on_ledger(engine, watch)


def test_steps_that_were_not_made_are_not_recorded():
    run = RecordedTraining(settings(), layer(), *data(), seed=SEED)
    run.train()
    steps = run.steps.run
    run.steps.run = lambda count, present: steps(count - 1, present)
    assert run.execute([3], 4, 1) == 3
    assert run.intervals[-1].steps == 3


def _insist_on_ledger(engine, watch):
    """The ledger's steps end with those of the run, and rows that left are in no later batch."""
    run, events = engine.run, engine.ledger.events()
    steps = [each["steps"] for each in events if each["event"] in ("train", "unlearned")]
    assert steps[-len(run.intervals) :] == [each.steps for each in run.intervals]
    places = {engine.ledger.digest(name): at for at, name in enumerate(names())}
    requests = [
        {places[digest] for digest in each["rows"]} for each in events if each["event"] == "request"
    ]
    position, gone = 0, set().union(*requests[: len(requests) - _requests(run)])
    for interval in run.intervals:
        if interval.left:
            gone |= requests[len(requests) - _requests(run) + _before(run, interval)]
        for batch in watch.batches[position : position + interval.steps]:
            assert not batch & gone
        position += interval.steps
    assert gone == set(np.flatnonzero(~run.table.present).tolist())


def _requests(run):
    return sum(each.left > 0 for each in run.intervals)


def _before(run, interval):
    place = next(at for at, each in enumerate(run.intervals) if each is interval)
    return sum(each.left > 0 for each in run.intervals[:place])
