"""A certificate over rows in pieces is that over the same rows in memory."""

import numpy as np
import pytest

from simulators.data.dataset import Dataset
from simulators.data.pieced import iterated_rows, npy_rows
from simulators.erm import float_objective, free_intercept, objective
from simulators.erm.certify import certify_erm
from simulators.erm.objective import Objective
from simulators.losses.logistic import Logistic
from simulators.losses.ridge import Ridge
from simulators.losses.softmax import Softmax

pytest.importorskip("flint")
RANDOM = np.random.default_rng(3)
X = RANDOM.standard_normal((90, 4)) / 2
Y = np.where(X[:, 0] + 0.5 * RANDOM.standard_normal(90) > 0, 1.0, -1.0)
NUMBERS = X @ RANDOM.standard_normal(4)
CASES = {
    "logistic": (Logistic(0.1), "none", Y, (4,)),
    "logistic, an intercept": (Logistic(0.1), "penalised", Y, (5,)),
    "logistic, a free intercept": (Logistic(0.1), "free", Y, (5,)),
    "ridge, a free intercept": (Ridge(0.1), "free", NUMBERS, (5,)),
    "softmax": (Softmax(2, 0.1), "none", (Y + 1) / 2, (4, 2)),
}


@pytest.fixture
def small_pieces(monkeypatch):
    """Pieces of a dozen rows, and blocks of balls of nine."""
    monkeypatch.setattr(float_objective, "PIECE_BYTES", 12 * 8 * 4)
    for module in (objective, free_intercept):
        monkeypatch.setattr(module, "BLOCK", 9 * 4)


@pytest.mark.parametrize("case", CASES)
def test_the_distance_is_that_of_rows_in_memory(case, small_pieces, monkeypatch):
    loss, intercept, targets, shape = CASES[case]
    model = np.full(shape, 0.05)
    made = Objective(loss, None, intercept)
    pieces = [(X[:7], targets[:7]), (X[7:50], targets[7:50]), (X[50:], targets[50:])]
    cut = made.distance(iterated_rows(pieces), model)
    monkeypatch.undo()
    whole = made.distance(Dataset(X, targets), model)
    assert cut.distance == pytest.approx(whole.distance, rel=1e-12)
    assert cut.gradient == pytest.approx(whole.gradient, rel=1e-15)
    assert whole.distance > 1e-3


@pytest.mark.parametrize("case", CASES)
def test_one_pass_has_value_gradient_and_hessian(case, small_pieces):
    loss, intercept, targets, shape = CASES[case]
    made = Objective(loss, 1.5, intercept)
    floats = made.in_floats(iterated_rows([(X[:40], targets[:40]), (X[40:], targets[40:])]))
    point = np.linspace(-0.5, 0.4, int(np.prod(shape)))
    plain = made.in_floats(Dataset(X, targets))
    # Errors of 90 terms of size 1, by far.
    assert floats.value(point) == pytest.approx(plain.value(point), rel=1e-13)
    assert np.allclose(floats.gradient(point), plain.gradient(point), rtol=0, atol=1e-12)
    change = np.cos(np.arange(point.size))
    products = [each._product(point)(change) for each in (floats, plain)]
    assert np.allclose(*products, rtol=0, atol=1e-12)
    if len(shape) == 1:
        assert np.allclose(floats._hessian(point) @ change, products[0], rtol=0, atol=1e-12)


def test_rows_of_a_file_leave_and_others_come(tmp_path):
    path = tmp_path / "rows.npy"
    np.save(path, np.column_stack([X, Y]))
    certified = [
        certify_erm(
            "logistic",
            data,
            np.zeros(4),
            removed=[3, 40],
            added=added,
            regularisation=0.2,
            epsilon=1.0,
            delta=1e-5,
            rng=np.random.default_rng(0),
        )
        for data, added in (
            (str(path), npy_rows(path)),
            (Dataset(X, Y), Dataset(X, Y)),
        )
    ]
    pieced, whole = certified
    assert pieced.sigma == pytest.approx(whole.sigma, rel=1e-9)
    assert len(pieced.problem.kept) == 178
    assert pieced.problem.kept.sha256 == whole.problem.kept.sha256
    with pytest.raises(ValueError, match="added must be in memory where data are"):
        certify_erm("logistic", str(path), np.zeros(4), added=Dataset(X, Y), regularisation=0.2)
