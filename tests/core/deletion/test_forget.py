"""A deletion gives a model of the same kind at a public noise, whatever the rows and the start."""

import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDRegressor
from sklearn.linear_model import Ridge as LeastSquares
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import forgetproof
from accounting.curves.gaussian import mu_gdp
from forgetproof.deletion.page import html_page, markdown_page
from forgetproof.deletion.statement import deletion_mechanism, model_text
from simulators.data.pieced import iterated_rows

pytest.importorskip("flint")
GONE = range(12)
RNG = np.random.default_rng(2)
X = RNG.normal(size=(300, 3)) * [1.0, 2.0, 0.5] + 0.3
Y = np.where(RNG.random(300) < 1 / (1 + np.exp(1 - X @ [1.0, -0.5, 0.3])), 1, 0)
KEPT = np.arange(300) >= 12
SETTINGS = {"epsilon": 1.0, "delta": 1e-5}


def forgotten(model, rows=X, targets=Y, removed=GONE, **more):
    return forgetproof.forget(model, (rows, targets), removed=removed, **SETTINGS, **more)


def trained(kind=LogisticRegression, targets=Y, **settings):
    return kind(**settings).fit(X, targets)


WORDS = np.where(Y == 1, "yes", "no")


def frame():
    return pytest.importorskip("pandas").DataFrame(X, columns=["a", "b", "c"])


FORMS = {
    "range": lambda: forgotten(trained()),
    "numbers": lambda: forgotten(trained(), removed=list(GONE)),
    "mask": lambda: forgotten(trained(), removed=~KEPT),
    "words": lambda: forgotten(trained(targets=WORDS), targets=WORDS),
    "bools": lambda: forgotten(trained(targets=Y == 1), targets=Y == 1),
    "list of words": lambda: forgotten(trained(targets=WORDS), targets=WORDS.tolist()),
    "frame": lambda: forgotten(LogisticRegression().fit(frame(), Y), frame()),
    "series": lambda: forgotten(trained(), targets=frame()["a"] * 0 + Y),
    "mask as series": lambda: forgotten(trained(), removed=frame()["a"].index < 12),
    "pipeline": lambda: forgotten(make_pipeline("passthrough", LogisticRegression()).fit(X, Y)),
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_of_rows_has_the_same_answer(name):
    plain, found = FORMS["range"](), FORMS[name]()
    assert (found.sigma, found.largest_distance) == (plain.sigma, plain.largest_distance)
    assert found.distance == pytest.approx(plain.distance, rel=1e-3, abs=1e-12)
    assert found.newton_steps == plain.newton_steps
    assert (found.rows, found.removed, found.dimension) == (300, 12, 4)


MODELS = {
    "logistic": (trained, Y, 4),
    "liblinear": (lambda: trained(solver="liblinear", intercept_scaling=3.0), Y, 4),
    "without intercept": (lambda: trained(fit_intercept=False), Y, 3),
    "squared hinge": (lambda: trained(LinearSVC), Y, 4),
    "ridge": (lambda: trained(LeastSquares, X[:, 0] - Y), X[:, 0] - Y, 4),
    "ridge classifier": (lambda: trained(RidgeClassifier), Y, 4),
    "huber": (
        lambda: trained(SGDRegressor, X[:, 0] - Y, loss="huber", fit_intercept=False, alpha=0.1),
        X[:, 0] - Y,
        3,
    ),
}


def parameters(model, scaling=1.0):
    return np.append(np.ravel(model.coef_), np.ravel(model.intercept_) / scaling)


@pytest.mark.parametrize("name", MODELS)
def test_the_same_kind_of_model_comes_back_with_the_noise_that_was_drawn(name):
    make, targets, size = MODELS[name]
    model = make()
    found = forgotten(model, targets=targets, rng=np.random.default_rng(3))
    assert type(found.model) is type(model)
    assert found.model.get_params() == model.get_params()
    assert np.shape(found.model.coef_) == np.shape(model.coef_)
    assert np.shape(found.model.intercept_) == np.shape(model.intercept_)
    scaling = 3.0 if name == "liblinear" else 1.0
    drawn = (parameters(found.model, scaling)[:size] - found.near.head) / found.sigma
    expected = np.random.default_rng(3).standard_normal(size)
    assert drawn == pytest.approx(expected, abs=1e-9)
    assert found.distance <= found.largest_distance < found.sigma * mu_gdp(1.0, 1e-5)
    assert (found.model.predict(X) == found.model.predict(X[:300])).all()


@pytest.mark.parametrize("name", MODELS)
def test_it_ends_where_training_without_the_rows_does(name):
    make, targets, size = MODELS[name]
    if name == "huber":
        pytest.skip("scikit-learn's steps end far from the minimiser")
    other = make().set_params(tol=1e-10).fit(X[KEPT], targets[KEPT])
    scaling = 3.0 if name == "liblinear" else 1.0
    found = forgotten(make(), targets=targets)
    assert found.near.head == pytest.approx(parameters(other, scaling)[:size], abs=1e-3)


def test_a_pipeline_keeps_its_other_steps_and_says_that_they_are_public():
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, WORDS)
    found = forgotten(model, targets=WORDS)
    assert found.model[:-1].get_params() == model[:-1].get_params()
    assert (found.model[0].mean_ == model[0].mean_).all()
    assert found.model[-1] is not model[-1]
    assert set(found.model.predict(X)) <= {"yes", "no"}
    assert "the pipeline's other steps (standardscaler) are public" in found.conditions


ROWS = {
    "separable": (X, np.where(X[:, 0] > 0.3, 1, 0), {"C": 1e9}),
    "far apart": (X * [1e-6, 1.0, 1e6], Y, {}),
    "constant column": (X * [0.0, 1.0, 1.0], Y, {}),
    "alike": (np.ones((300, 3)), Y, {}),
    "few of a class": (X, np.where(np.arange(300) == 299, 1, 0), {}),
    "free": (X, Y, {"C": 1e14}),
}


@pytest.mark.parametrize("start", ["trained", "far", "at 0"])
@pytest.mark.parametrize("name", ROWS)
def test_nothing_is_refused_for_what_the_rows_or_the_model_are(name, start):
    rows, targets, settings = ROWS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression(**settings).fit(rows, targets)
    if start != "trained":
        model.coef_ = np.full_like(model.coef_, 1e5 if start == "far" else 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = forgotten(model, rows, targets)
    assert found.distance <= found.largest_distance


def test_one_class_that_stays_is_refused_as_retraining_is():
    few = np.where(np.arange(300) < 5, 1, 0)
    with pytest.raises(ValueError, match="removed must leave rows of both classes"):
        forgotten(trained(targets=few), targets=few)
    # Without a free intercept there is a minimiser, whatever scikit-learn says.
    found = forgotten(trained(targets=few, fit_intercept=False), targets=few)
    assert np.isinf(found.cost.retraining)
    assert "refuses" in found.cost.words


def test_what_is_handed_over_does_not_depend_on_the_way_there():
    """The same numbers and words from every start, and nothing of the training of before."""
    near, far = trained(max_iter=1000, tol=1e-12), trained()
    far.coef_ = far.coef_ + 100.0
    pair = [forgotten(model, rng=np.random.default_rng(4)) for model in (near, far)]
    assert pair[0].newton_steps != pair[1].newton_steps
    for write in (deletion_mechanism, markdown_page, html_page, lambda r: r.conditions):
        assert write(pair[0]) == write(pair[1])
    for found in pair:
        handed = str(found.document()) + markdown_page(found) + model_text(found) + repr(found)
        assert repr(found.distance) not in handed
        assert "n_iter_" not in vars(found.model)
        assert set(vars(found.model)) <= {*found.model.get_params(), *KNOWN}


KNOWN = ("classes_", "n_features_in_", "coef_", "intercept_")


def test_the_page_is_short_and_says_what_it_does_not_say():
    held = (X[:100], WORDS[:100])
    found = forgotten(trained(targets=WORDS), targets=WORDS, held_out=held)
    page = markdown_page(found)
    assert len(page.splitlines()) <= 60
    for word in (
        "(1, 1e-05)-indistinguishable",
        "12 of 300",
        "whoever sees the released model",
        "What this does not say",
        "kept or saw the model of before",
        "Backups, logs",
        "forgetproof check unlearning.json",
        "by always saying",
    ):
        assert word in page.replace("\\", "")
    assert "<script" not in html_page(found)


def test_accuracy_stands_beside_the_share_of_the_larger_class():
    labels = np.array(["no"] * 30 + ["yes"] * 10)
    found = forgotten(trained(targets=WORDS), targets=WORDS, held_out=(X[:40], labels))
    assert (found.accuracy.rows, found.accuracy.always) == (40, "no")
    assert found.accuracy.larger_class == 0.75
    assert found.accuracy.released == found.model.score(X[:40], labels)
    assert found.accuracy.useless == (found.accuracy.released <= 0.75)
    assert "without_noise" not in repr(found)


REFUSED = {
    "epsilon": (trained, {"epsilon": 0.0}, "epsilon must be in"),
    "large epsilon": (trained, {"epsilon": 21.0}, "epsilon must be in"),
    "delta": (trained, {"delta": 1.0}, "delta must be in"),
    "sigma": (trained, {"sigma": 0.0}, "sigma must be in"),
    "nan": (trained, {"sigma": float("nan")}, "sigma must be"),
    "no row": (trained, {"removed": []}, "removed must be from 1 to 299"),
    "all": (trained, {"removed": range(300)}, "removed must be from 1 to 299"),
    "outside": (trained, {"removed": [300]}, "removed must be"),
    "twice": (trained, {"removed": [3, 3]}, "removed must be distinct"),
    "half": (trained, {"removed": [0.5]}, "removed must be distinct"),
    "short mask": (trained, {"removed": np.ones(3, dtype=bool)}, "removed must have a bool"),
    "text": (trained, {"removed": "0:20"}, "removed must be"),
    "data": (trained, {"data": X}, "data must be a pair"),
    "gap": (trained, {"data": (np.where(X > 2, np.nan, X), Y)}, "data must"),
    "width": (trained, {"data": (X[:, :2], Y)}, "data must have rows of 3 numbers"),
    "targets": (trained, {"data": (X, Y[:5])}, "data must have a target a row"),
    "other class": (trained, {"data": (X, Y + 5)}, "data must have the classes"),
    "not fitted": (LogisticRegression, {}, "model must be a fitted LogisticRegression"),
    "other model": (StandardScaler, {}, "model must be a fitted LogisticRegression"),
    "no model": (lambda: None, {}, "model must be a fitted LogisticRegression"),
    "weights": (lambda: trained(class_weight="balanced"), {}, "class_weight must be None"),
    "classes": (lambda: trained(targets=np.arange(300) % 3), {}, "model must have two classes"),
    "joint": (lambda: trained(LinearSVC, multi_class="crammer_singer"), {}, "multi_class must be"),
    "held out": (trained, {"held_out": 5}, "held_out must be a pair"),
    "none held out": (trained, {"held_out": (X[:0], Y[:0])}, "held_out must"),
    "held out alone": (trained, {"held_out": (X, Y[:5])}, "held_out must have a target a row"),
    "noise": (trained, {"rng": 3}, "rng must be a numpy.random.Generator"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_by_its_name(name):
    make, changes, words = REFUSED[name]
    given = {"data": (X, Y), "removed": GONE, **SETTINGS, **changes}
    with pytest.raises(ValueError, match=words):
        forgetproof.forget(make(), given.pop("data"), **given)


def test_columns_of_a_frame_are_those_of_the_model_in_its_order():
    rows = frame()
    with pytest.raises(ValueError, match="data must have the columns of the model in its order"):
        forgotten(LogisticRegression().fit(rows, Y), rows[["c", "b", "a"]])


def test_no_number_is_rounded_to_a_stronger_promise():
    result = forgetproof.forget(
        trained(), (X, Y), removed=GONE, epsilon=1.0000004, delta=1.00000049e-5, sigma=1.0000004e-3
    )
    assert "(1.0000004, 1.00000049e-05)-indistinguishable" in result.guarantee
    page = markdown_page(result)
    for digits in ("1.0000004, 1.00000049e-05", "s = 0.0010000004", "more than 2.719 times"):
        assert digits in page


def test_rows_in_pieces_are_forgotten_as_an_array_is():
    targets = X[:, 0] - Y
    for model, labels in (
        (trained(), Y),
        (trained(LeastSquares, targets), targets),
        (make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y), Y),
    ):
        pieces = iterated_rows([(X[:100], labels[:100]), (X[100:], labels[100:])])
        plain = forgotten(model, X, labels, rng=np.random.default_rng(0))
        found = forgetproof.forget(
            model, pieces, removed=GONE, **SETTINGS, rng=np.random.default_rng(0)
        )
        assert found.cost.retraining is None
        assert "not timed" in found.cost.words
        assert (found.rows, found.removed) == (300, 12)
        assert found.distance < found.largest_distance
        ends = [
            each.model[-1] if hasattr(each.model, "steps") else each.model
            for each in (plain, found)
        ]
        assert np.allclose(ends[0].coef_, ends[1].coef_, rtol=0, atol=2 * plain.largest_distance)


def test_rows_in_pieces_need_the_targets_of_the_model():
    for pieces, words in (
        ([X], "data must have targets"),
        ([(X, Y + 1)], "data must have the classes"),
        ([(X[:, :2], Y)], "data must have rows of 3 numbers"),
    ):
        with pytest.raises(ValueError, match=words):
            forgetproof.forget(trained(), iterated_rows(pieces), removed=GONE, **SETTINGS)
    with pytest.raises(ValueError, match="held_out must be a pair"):
        forgotten(trained(), held_out=iterated_rows([(X, Y)]))
