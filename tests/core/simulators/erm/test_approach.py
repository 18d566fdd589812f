"""Newton's steps end where a certificate says they are near, whatever the rows and the start."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, RidgeClassifier, SGDClassifier, SGDRegressor
from sklearn.linear_model import Ridge as LeastSquares
from sklearn.svm import LinearSVC

from simulators.data.dataset import Dataset
from simulators.erm.approach import _two_sum, near_minimiser
from simulators.erm.certify import certify_erm
from simulators.erm.estimators import fitted
from simulators.erm.free_intercept import _best_intercept, _ScoredRows
from simulators.erm.objective import Objective
from simulators.losses.huber import Huber
from simulators.losses.logistic import Logistic
from simulators.losses.ridge import Ridge
from simulators.losses.squared_hinge import SquaredHinge

pytest.importorskip("flint")
SLOPES = {
    Logistic: lambda z, y: -y / (1 + mpmath.exp(y * z)),
    SquaredHinge: lambda z, y: -y * max(0, 1 - y * z),
    Ridge: lambda z, y: z - y,
    Huber: lambda z, y: max(-1, min(1, z - y)),
}
CURVES = {
    Logistic: lambda z, y: 1 / (2 + mpmath.exp(z) + mpmath.exp(-z)),
    SquaredHinge: lambda z, y: 1 if y * z <= 1 else 0,
    Ridge: lambda z, y: 1,
    Huber: lambda z, y: 1 if abs(z - y) <= 1 else 0,
}


def exact_minimiser(objective, data, start):
    """The minimiser in 60 digits, by Newton steps from nearby."""
    kind = type(objective.loss)
    rows = [[mpmath.mpf(x) for x in row] for row in objective.design(data).features.tolist()]
    targets = [mpmath.mpf(y) for y in data.targets.tolist()]
    weight = mpmath.mpf(1) / len(rows) if objective.weight is None else objective.weight
    ridges = [mpmath.mpf(objective.ridge)] * len(rows[0])
    if objective.intercept == "free":
        ridges[-1] = mpmath.mpf(0)
    v = mpmath.matrix([mpmath.mpf(x) for x in start])
    for _ in range(30):
        scores = [mpmath.fdot(row, v) for row in rows]
        slopes = [weight * SLOPES[kind](z, y) for z, y in zip(scores, targets, strict=True)]
        curves = [weight * CURVES[kind](z, y) for z, y in zip(scores, targets, strict=True)]
        size = range(len(v))
        gradient = mpmath.matrix(
            [mpmath.fdot(slopes, [r[j] for r in rows]) + ridges[j] * v[j] for j in size]
        )
        hessian = mpmath.matrix(
            [
                [
                    mpmath.fsum(c * r[j] * r[k] for c, r in zip(curves, rows, strict=True))
                    + (ridges[j] if j == k else 0)
                    for k in size
                ]
                for j in size
            ]
        )
        change = mpmath.lu_solve(hessian, gradient)
        v = v - change
        if max(abs(x) for x in change) < mpmath.mpf(10) ** -45:
            break
    return v


def held_against(objective, data, start, within):
    """The point is within the distance, and the distance is not below the true one."""
    near = near_minimiser(objective, data, start, within)
    assert near.distance <= within
    with mpmath.workdps(60):
        point = [mpmath.mpf(a) + mpmath.mpf(b) for a, b in zip(near.head, near.tail, strict=True)]
        best = exact_minimiser(objective, data, near.head.tolist())
        apart = mpmath.sqrt(mpmath.fsum((a - b) ** 2 for a, b in zip(point, best, strict=True)))
        assert apart <= near.distance
    return near


def rows_of(seed, n=14, d=2, separable=False):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.sign(X @ np.arange(1, d + 1)) if separable else np.where(rng.random(n) < 0.5, -1.0, 1.0)
    y[:2] = [-1.0, 1.0]
    X[:2] = np.array([[-1.0], [1.0]]) * np.arange(1, d + 1)
    return X, y


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    power=st.floats(-3, 12),
    far=st.floats(-3, 6),
    intercept=st.sampled_from(["none", "penalised", "free"]),
    separable=st.booleans(),
)
def test_logistic_rows_of_every_kind_are_never_refused(seed, power, far, intercept, separable):
    data = Dataset(*rows_of(seed, separable=separable))
    objective = Objective(Logistic(1.0), 10.0**power, intercept, 1.0)
    size = 2 + (intercept != "none")
    start = 10.0**far * np.random.default_rng(seed).normal(size=size)
    held_against(objective, data, start, 2e-4)


LOSSES = {
    "squared hinge": (SquaredHinge(1.0), 3.0, "penalised"),
    "squared hinge, strong": (SquaredHinge(1.0), 1e9, "none"),
    "huber": (Huber(0.3), None, "none"),
    "ridge": (Ridge(2.0), 1.0, "free"),
}


@pytest.mark.parametrize("name", LOSSES)
def test_other_losses(name):
    loss, weight, intercept = LOSSES[name]
    data = Dataset(*rows_of(4))
    objective = Objective(loss, weight, intercept)
    near = held_against(objective, data, np.zeros(2 + (intercept != "none")), 1e-5)
    assert near.steps <= 30


@pytest.mark.parametrize("within", [1e-3, 1e-9, 1e-16, 1e-22])
def test_two_floats_are_nearer_than_one(within):
    near = held_against(
        Objective(Logistic(1.0), 5.0, "free"), Dataset(*rows_of(1)), np.zeros(3), within
    )
    assert bool(near.tail.any()) == (within < 1e-14)


def test_columns_of_other_units():
    X, y = rows_of(2, d=3)
    data = Dataset(X * [1e-8, 1.0, 1e9], y)
    held_against(Objective(Logistic(1.0), 1.0, "free"), data, np.zeros(4), 2e-4)


def test_few_steps_from_a_trained_model_and_none_where_it_is_near():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(2000, 4))
    y = np.where(rng.random(2000) < 1 / (1 + np.exp(-X[:, 0])), 1.0, -1.0)
    model = LogisticRegression().fit(X, y)
    objective, data, v = fitted(model, Dataset(X, y))
    kept = Dataset(data.features[20:], data.targets[20:])
    near = near_minimiser(objective, kept, v, 2e-4)
    assert (near.steps <= 2, near.anew) == (True, False)
    again = near_minimiser(objective, kept, near.head, 2e-4)
    assert again.steps == 0
    assert (again.head == near.head).all()


@pytest.mark.parametrize("far", [1.0, 50.0, 800.0, 2e4, 1e9])
def test_the_best_intercept_is_in_its_ball(far):
    """Where floats are flat around it as well: its ball is then wide."""
    flint = pytest.importorskip("flint")
    rng = np.random.default_rng(9)
    X = far * rng.normal(size=(12, 1)) + 0.3 * far
    y = np.where(np.arange(12) % 2 == 0, 1.0, -1.0)
    loss = Logistic(1.0)
    before, flint.ctx.prec = flint.ctx.prec, 160
    try:
        data = Dataset(np.column_stack([X, np.ones(12)]), y)
        scored = _ScoredRows(flint, loss, data, flint.arb_mat(1, 1, [1]))
        ball = _best_intercept(scored, 0.0)
        ends = [end.str(40, radius=False) for end in (ball.lower(), ball.upper())]
    finally:
        flint.ctx.prec = before
    if not ball.is_finite():
        assert far > 1e3
        return
    with mpmath.workdps(60):
        low, high = map(mpmath.mpf, ends)
        low, high = low - abs(low) / 10**35, high + abs(high) / 10**35
        scores = [mpmath.mpf(x) for x in X[:, 0].tolist()]

        def slope(b):
            return mpmath.fsum(SLOPES[Logistic](z + b, t) for z, t in zip(scores, y, strict=True))

        assert slope(low) < 0 < slope(high)


def test_one_class_has_no_minimiser():
    X, y = rows_of(3)
    with pytest.raises(ValueError, match="no intercept is best"):
        near_minimiser(Objective(Logistic(1.0), 1.0, "free"), Dataset(X, abs(y)), np.zeros(3), 1e-4)


@given(st.floats(-1e200, 1e200), st.floats(-1e200, 1e200))
def test_a_sum_of_two_floats_is_kept(head, tail):
    total, rest = (float(x) for x in _two_sum(np.array(head), np.array(tail)))
    with mpmath.workprec(5000):
        assert mpmath.mpf(total) + mpmath.mpf(rest) == mpmath.mpf(head) + mpmath.mpf(tail)


ESTIMATORS = {
    "logistic": LogisticRegression(tol=1e-9, C=0.5),
    "liblinear": LogisticRegression(solver="liblinear", intercept_scaling=3.0, tol=1e-9),
    "svc": LinearSVC(C=0.3, tol=1e-9, max_iter=10**5),
    "svc without intercept": LinearSVC(fit_intercept=False, tol=1e-9, max_iter=10**5),
    "ridge": LeastSquares(2.0),
    "ridge classifier": RidgeClassifier(2.0),
    "sgd logistic": SGDClassifier(loss="log_loss", alpha=0.1, tol=None, max_iter=3000),
    "sgd squares": SGDRegressor(alpha=0.1, tol=None, max_iter=3000),
    "sgd huber": SGDRegressor("huber", alpha=0.1, fit_intercept=False, tol=None, max_iter=3000),
}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_objective_is_what_the_estimator_minimises(name):
    """Where it was trained well, its parameters are near the minimiser of the objective."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(80, 3)) + 0.5
    y = np.sign(X @ [1.0, -1.0, 0.3] + rng.normal(size=80))
    model = ESTIMATORS[name]
    if hasattr(model, "random_state"):
        model.set_params(random_state=1)
    if name.startswith("sgd"):
        model.set_params(learning_rate="invscaling", eta0=0.05, power_t=0.5)
    model.fit(X, y)
    objective, data, v = fitted(model, Dataset(X, y))
    assert objective.distance(data, v).distance < (2e-2 if name.startswith("sgd") else 1e-5)


WRONG = {
    "l1": (LogisticRegression(solver="liblinear", l1_ratio=1.0), "l1_ratio must be 0"),
    "hinge": (LinearSVC(loss="hinge"), "loss must be 'squared_hinge'"),
    "sgd hinge": (SGDClassifier(), "loss must be 'log_loss'"),
    "huber with intercept": (SGDRegressor("huber"), "fit_intercept must be False"),
    "elastic net": (SGDRegressor(penalty="elasticnet"), "penalty must be 'l2'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_minimises_something_else_is_refused(name):
    model, words = WRONG[name]
    X, y = rows_of(6, n=30)
    with pytest.raises(ValueError, match=words):
        certify_erm(model.fit(X, y), (X, y))


def test_the_exact_minimiser_is_certified():
    """|gradient| of 1e-14, and of 0: a sigma at the rounding of the parameters."""
    X, y = rows_of(7, n=60, d=4)
    objective, data = Objective(Logistic(1.0), 1.0, "free"), Dataset(X, y)
    near = near_minimiser(objective, data, np.zeros(5), 1e-18)
    sure = certify_erm(Logistic(1.0), data, near.head, weight=1.0, intercept="free")
    assert sure.problem.certificate.gradient < 1e-13
    assert sure.sigma <= 1e-9 * np.linalg.norm(near.head) + 1e-6
    zero = Dataset(np.zeros((2, 2)), np.array([1.0, -1.0]))
    none = certify_erm(Logistic(1.0), zero, np.zeros(3), intercept="free")
    assert none.problem.certificate.gradient == 0
    assert none.sigma < 1e-20


def test_retraining_as_the_docstring_has_it():
    X, y = rows_of(7, n=60, d=4)
    model = LogisticRegression().fit(X, y)
    asked = []

    def retrain(kept):
        asked.append(len(kept))
        again = clone(model).set_params(tol=1e-10).fit(kept.features, kept.targets)
        return np.append(again.coef_, again.intercept_)

    sure = certify_erm(model, (X, y), removed=[0, 1, 5], sigma=1e-3, retrain=retrain)
    assert asked == [57]
    assert sure.retrained
    assert sure.problem.distance < 1e-5
