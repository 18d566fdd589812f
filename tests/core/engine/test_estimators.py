"""scikit-learn's own checks of an estimator, and what `forget` does."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.utils.estimator_checks import parametrize_with_checks

from accounting.mechanism import Mechanism
from forgetproof.engine import EngineRefusal
from forgetproof.sklearn import ForgettingClassifier, ForgettingRegressor

rng = np.random.default_rng(3)
ROWS = rng.normal(size=(40, 3)) / 2
CLASSES = rng.integers(3, size=40)
FEW = {"steps": 20, "noise": 4.0, "epsilon": 1.5, "step_size": 1.0, "decay": 0.2}


@parametrize_with_checks(
    [
        # With a seed the checks of scores have one outcome.
        ForgettingClassifier(steps=100, random_state=0),
        ForgettingRegressor(steps=400, random_state=0),
    ]
)
def test_scikit_learn_s_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("loss", ["logistic", "hinge", "squared_hinge"])
def test_a_classifier_forgets_rows(loss):
    rows, classes = load_breast_cancer(return_X_y=True)
    rows = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    model = ForgettingClassifier(loss, row_bound=6.0, noise=2.0, random_state=0)
    assert model.fit(rows, classes).score(rows, classes) > 0.9
    planned = model.plan(5).steps
    model.forget(range(5))
    assert model.n_iter_ == 400 + planned < 800
    assert model.score(rows, classes) > 0.9
    assert 0.5 < model._run.epsilon() <= 1.0


@pytest.mark.parametrize("loss", ["squares", "huber"])
def test_a_regressor_forgets_rows(loss):
    rows, numbers = load_diabetes(return_X_y=True)
    numbers = (numbers - 150) / 80
    model = ForgettingRegressor(loss, row_bound=3.0, steps=300, decay=0.08, random_state=0)
    model.fit(rows * 20, numbers)
    before = model.score(rows * 20, numbers)
    model.forget([0, 7])
    assert model.score(rows * 20, numbers) > before - 0.1 > 0.2


def test_predictions_are_those_of_the_coefficients_within_the_bound():
    model = ForgettingClassifier(row_bound=9.0, **FEW).fit(ROWS, CLASSES)
    scores = ROWS @ model.coef_.T + model.intercept_
    np.testing.assert_allclose(model.decision_function(ROWS), scores, atol=1e-12)
    # A row that is too long is scaled down, alike in training and in prediction.
    far = model.decision_function(ROWS[:1] * 1e6)
    np.testing.assert_allclose(far, model.decision_function(ROWS[:1] * 1e7))


def test_rows_are_named_by_their_ids():
    names = [f"u{at}" for at in range(40)]
    model = ForgettingClassifier(row_bound=3.0, **FEW).fit(ROWS, CLASSES, ids=names)
    model.forget(["u3"])
    assert np.flatnonzero(~model._run.table.present).tolist() == [3]
    for ids in (["u3"], ["u77"], ["u4", "u4"], []):
        with pytest.raises(EngineRefusal, match="ids must"):
            model.forget(ids)


def test_a_certificate_holds_what_was_executed():
    model = ForgettingClassifier(row_bound=3.0, **FEW).fit(ROWS, CLASSES)
    with pytest.raises(EngineRefusal, match="ids must have left"):
        _ = model.certificate_
    model.forget([1]).forget([2, 5])
    document = model.certificate_["mechanism"]
    assert Mechanism.of_document(document).document() == document
    assert sum(each["count"] for each in document["steps"]) == model.n_iter_
    assert model.certificate_["claim"]["epsilon"] <= 1.5
    assert "row_bound was read from the rows" not in model.certificate_["conditions"]


def test_a_bound_read_from_the_rows_is_a_condition():
    model = ForgettingClassifier(**FEW).fit(ROWS, CLASSES).forget([1])
    certificate = model.certificate_
    assert "row_bound was read from the rows" in certificate["conditions"]
    mechanism = Mechanism.of_document(certificate["mechanism"])
    assert mechanism.tuned_on_rows == ("row_bound", "classes_")
    assert [verdict.word for verdict in mechanism.verdicts()] == ["conditional"]


def test_with_a_random_state_there_is_no_certificate():
    first, second = (
        ForgettingClassifier(row_bound=3.0, random_state=4, **FEW).fit(ROWS, CLASSES).forget([1])
        for _ in range(2)
    )
    np.testing.assert_array_equal(first.coef_, second.coef_)
    with pytest.raises(EngineRefusal, match="seed must be secret"):
        _ = first.certificate_


def test_without_a_random_state_two_fits_differ():
    first, second = (
        ForgettingClassifier(row_bound=3.0, **FEW).fit(ROWS, CLASSES) for _ in range(2)
    )
    assert (first.coef_ != second.coef_).any()


def test_a_divisor_stays_when_rows_leave():
    model = ForgettingClassifier(row_bound=3.0, **FEW).fit(ROWS, CLASSES).forget([1, 2, 3])
    values = [each["divisor"]["value"] for each in model.certificate_["mechanism"]["steps"]]
    assert set(values) == {20}


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (ForgettingClassifier("squares"), "loss"),
        (ForgettingRegressor("logistic"), "loss"),
        (ForgettingClassifier(rate=2.0), "rate"),
        (ForgettingClassifier(noise=-1.0), "noise"),
        (ForgettingClassifier(steps=0), "steps"),
        (ForgettingClassifier(divisor=41), "divisor"),
    ],
)
def test_bad_parameters_are_named_at_fit(model, name):
    with pytest.raises(ValueError, match=f"^{name} must"):
        model.fit(ROWS, (CLASSES > 0).astype(float))


def test_it_is_a_step_of_a_pipeline_on_rows_that_are_scaled_alone():
    model = make_pipeline(Normalizer(), ForgettingClassifier(row_bound=1.0, **FEW))
    clone(model).fit(ROWS, CLASSES).predict(ROWS)
