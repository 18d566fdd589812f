"""Runs on rows in pieces are those on the same rows in memory, and need memory for one piece."""

import tracemalloc

import numpy as np
import pytest

from simulators.data.dataset import Dataset
from simulators.data.pieced import iterated_rows, npy_rows
from simulators.engine import staging
from simulators.engine.batches import ConsecutiveBatches, partition, positions
from simulators.runs.bounded import Bounded
from simulators.runs.langevin import LangevinUnlearning, Retraining
from simulators.runs.losses import adjacent_to
from simulators.runs.noise_cost import descend
from simulators.runs.online import OnlineLearning
from simulators.runs.scores import majority, scores_of

RANDOM = np.random.default_rng(8)
N = 60
X = RANDOM.standard_normal((N, 3))
SIGNS = np.where(X[:, 0] + 0.3 * RANDOM.standard_normal(N) > 0, 1.0, -1.0)
NUMBERS = X @ [1.0, -2.0, 0.5] + RANDOM.standard_normal(N)
# Rounding of some hundred terms of size 1 in other orders.
NEAR = {"rtol": 1e-11, "atol": 1e-12}


def pieced(targets):
    return iterated_rows([(X[a : a + 17], targets[a : a + 17]) for a in range(0, N, 17)])


@pytest.fixture(params=[4096, 7], ids=["whole batches", "parts of batches"])
def parts(request, monkeypatch):
    monkeypatch.setattr(staging, "MOST_TOGETHER", request.param)
    monkeypatch.setattr("simulators.engine.noisy_descent.MOST_TOGETHER", request.param)


def targets_of(loss):
    return {"logistic": SIGNS, "hinge": SIGNS, "softmax": (SIGNS + 1) / 2}.get(loss, NUMBERS)


@pytest.mark.parametrize("loss", ["logistic", "ridge", "huber", "softmax", "quadratic"])
def test_a_run_has_the_models_of_rows_in_memory(loss, parts):
    targets = targets_of(loss)
    settings = {
        "loss": loss,
        "regularisation": 0.1,
        "test_share": None,
        "sigma": 0.05,
        "batch_size": 20,
        "learn_epochs": 2,
        "trials": 5,
        "requests": 2,
    }
    whole = LangevinUnlearning(data=Dataset(X, targets), **settings).run()
    cut = LangevinUnlearning(data=pieced(targets), **settings).run()
    assert cut.certified == whole.certified
    assert cut.half_difference == whole.half_difference
    for name in ("learned", "unlearned"):
        assert np.allclose(getattr(cut.result, name), getattr(whole.result, name), **NEAR)
    for name in ("data_sha256", "batch_positions"):
        assert cut.result.settings[name] == whole.result.settings[name]
    if loss != "quadratic":
        scores = [each.document()["train"]["learned"] for each in (cut, whole)]
        assert list(scores[0]) == list(scores[1])
        assert np.allclose(list(scores[0].values()), list(scores[1].values()), **NEAR)


def test_retraining_takes_pieces_and_full_batches(parts):
    settings = {"loss": "logistic", "regularisation": 0.1, "sigma": 0.1, "trials": 3}
    settings |= {"test_share": None, "learn_epochs": 3}
    whole = Retraining(data=Dataset(X, SIGNS), **settings).run().result
    cut = Retraining(data=pieced(SIGNS), **settings).run().result
    assert np.allclose(cut.retrained, whole.retrained, **NEAR)


@pytest.mark.parametrize("size", [4, 20, 60])
def test_steps_of_a_cost_are_those_of_rows_in_memory(size, parts):
    how = {"loss": "logistic", "regularisation": 0.1, "test_share": 0.0, "shuffle": False}
    ends = [
        descend(Bounded(data=data, **how), size, np.full(31, 0.5), np.zeros(31), 2)
        for data in (Dataset(X, SIGNS), pieced(SIGNS))
    ]
    assert np.allclose(*ends, **NEAR)


@pytest.mark.parametrize("bound", [{}, {"normalise": False}, {"row_norm": 1.0, "clip_rows": True}])
@pytest.mark.parametrize("loss", ["logistic", "ridge"])
def test_bounds_constants_and_hash_are_those_of_rows_in_memory(loss, bound):
    how = {"loss": loss, "regularisation": 0.1, "shuffle": False, "radius": 3.0, **bound}
    if loss == "ridge":
        how["target_bound"], how["clip_rows"] = 2.0, True
    whole, cut = (
        Bounded(data=data, **how)
        for data in (Dataset(X, targets_of(loss)), pieced(targets_of(loss)))
    )
    documents = [each.document() for each in (whole, cut)]
    for document in documents:
        document.pop("record")
    assert documents[0] == documents[1]
    assert documents[0]["held_out"] == 12


def test_what_pieces_cannot_do_is_refused_by_name():
    with pytest.raises(ValueError, match="data must be in memory for online"):
        OnlineLearning(data=pieced(SIGNS), sigma=0.1).run().document()
    random = LangevinUnlearning(
        data=pieced(SIGNS), loss="logistic", sigma=0.1, batch_order="random", regularisation=0.1
    )
    with pytest.raises(ValueError, match="batch_order must be fixed"):
        random.run().document()
    how = {"loss": "logistic", "regularisation": 0.1}
    with pytest.raises(ValueError, match="scale must be none"):
        Bounded(data=pieced(SIGNS), scale="file", **how).document()
    three = Bounded(data=pieced(np.arange(N) % 3.0), classes="0,1", **how)
    with pytest.raises(ValueError, match="classes must be all"):
        three.document()


def test_scores_and_majority_are_counted_over_pieces():
    models = RANDOM.standard_normal((6, 3))
    for targets in (SIGNS, NUMBERS):
        whole, cut = Dataset(X, targets), pieced(targets)
        small = cut.between(0, N, "all")
        name, values = scores_of(models, small)
        assert name == scores_of(models, whole)[0]
        assert np.allclose(values, scores_of(models, whole)[1], **NEAR)
    assert majority(pieced(SIGNS), pieced(SIGNS)) == majority(Dataset(X, SIGNS), Dataset(X, SIGNS))


@pytest.mark.parametrize("row", [0, 31, N - 1])
def test_the_replaced_row_is_that_of_rows_in_memory(row):
    for targets, loss in ((SIGNS, "logistic"), (NUMBERS, "ridge"), (NUMBERS, "quadratic")):
        whole, cut = Dataset(X, targets), pieced(targets)
        ends = adjacent_to(whole, row, loss), adjacent_to(cut, row, loss)
        assert ends[0].sha256 == ends[1].sha256 != whole.sha256
    far = np.median(NUMBERS) < NUMBERS[row]
    replaced = adjacent_to(pieced(NUMBERS), row, "ridge").at(row).targets[0]
    assert replaced == (NUMBERS.min() if far else NUMBERS.max())


def test_consecutive_batches_are_the_fixed_partition():
    batches, array = ConsecutiveBatches(N, 12), partition(N, 12)
    assert (len(batches), batches.shape) == (len(array), array.shape)
    rows = np.array([0, 11, 12, 59])
    assert np.array_equal(positions(batches, rows), positions(array, rows))
    with pytest.raises(ValueError, match="batch_size must divide"):
        ConsecutiveBatches(N, 7)


def test_memory_is_that_of_some_pieces(tmp_path):
    peaks = []
    for n in (140_000, 420_000):
        path = tmp_path / f"{n}.npy"
        np.save(path, np.full((n, 9), 0.25))
        data = npy_rows(path).normalised()
        tracemalloc.start()
        try:
            assert data.largest_norm() > 0
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    # 10 and 30 MB of numbers: pieces of 4 MB, and what is made of one.
    assert peaks[1] < 1.05 * peaks[0]
