"""Certified distances from exact retraining: never below the truth, and tight in the gradient."""

import math
import re

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.linear_model import Ridge as LeastSquares

import forgetproof
from accounting.curves.gaussian import mu_gdp
from accounting.problems import Target
from simulators.data.dataset import Dataset
from simulators.erm.certify import certify_erm
from simulators.erm.float_objective import FloatObjective
from simulators.erm.free_intercept import _mean_change
from simulators.erm.objective import Objective
from simulators.erm.problem import Erm
from simulators.losses.hinge import SmoothedHinge
from simulators.losses.huber import Huber
from simulators.losses.logcosh import LogCosh
from simulators.losses.logistic import Logistic
from simulators.losses.ridge import Ridge
from simulators.losses.softmax import Softmax

flint = pytest.importorskip("flint")

LONG = np.longdouble
TARGET = Target(1.0, 1e-5)


def standard(X):
    spread = X.std(axis=0)
    return (X - X.mean(axis=0))[:, spread > 0] / spread[spread > 0]


def pair(load, classes):
    X, y = load(return_X_y=True)
    chosen = np.isin(y, classes)
    return standard(X[chosen]), y[chosen]


DATA = {
    "breast cancer": lambda: pair(load_breast_cancer, (0, 1)),
    "digits": lambda: pair(load_digits, (3, 8)),
    "wine": lambda: pair(load_wine, (0, 1)),
    "diabetes": lambda: (standard(load_diabetes().data), load_diabetes().target / 50),
}
FITS = {
    "lbfgs free": (LogisticRegression, {"solver": "lbfgs"}),
    "lbfgs none": (LogisticRegression, {"solver": "lbfgs", "fit_intercept": False}),
    "newton free": (LogisticRegression, {"solver": "newton-cholesky"}),
    "liblinear": (LogisticRegression, {"solver": "liblinear"}),
    "liblinear scaled": (LogisticRegression, {"solver": "liblinear", "intercept_scaling": 7.0}),
    "ridge free": (LeastSquares, {}),
    "ridge none": (LeastSquares, {"fit_intercept": False}),
}


def gradient_of(kind, X, y, C, ridge, v):
    """Of C sum l + sum ridge_j v_j^2/2, in long doubles; and its Hessian in doubles."""
    z = X @ v
    if kind is LeastSquares:
        slope, curve = z - y, np.ones(len(y))
    else:
        slope = -y / (1 + np.exp(y * z))
        curve = 1 / (2 + np.exp(z) + np.exp(-z))
    doubles = X.astype(float)
    hessian = float(C) * (doubles.T * curve.astype(float)) @ doubles + np.diag(ridge.astype(float))
    return C * (X.T @ slope) + ridge * v, hessian


def minimiser(kind, X, y, C, ridge, start):
    """By FloatObjective steps with gradients in long doubles, to about 1e-17 of it."""
    v = start.astype(LONG)
    for _ in range(60):
        g, hessian = gradient_of(kind, X, y, C, ridge, v)
        step = np.linalg.solve(hessian, g.astype(float))
        v = v - step
        if np.abs(step).max() <= 1e-17 * np.abs(v).max():
            break
    return v


def held_against_the_truth(name, data, share, strength, rng):
    """The certified distance over the true one, and over |grad F|/m where the ridge covers all."""
    kind, options = FITS[name]
    X, y = DATA[data]()
    setting = {"alpha" if kind is LeastSquares else "C": strength}
    model = kind(**setting, **options, tol=float(10 ** rng.uniform(-10, -4))).fit(X, y)
    gone = rng.permutation(len(y))[: max(1, round(share * len(y)))]
    certificate = certify_erm(model, (X, y), removed=gone).problem.certificate
    scaling = options.get("intercept_scaling", 1.0)
    intercept = options.get("fit_intercept", True)
    design = np.column_stack([X, np.full(len(y), scaling)]) if intercept else X
    v = np.append(model.coef_, model.intercept_ / scaling) if intercept else model.coef_.ravel()
    ridge = np.full(len(v), strength if kind is LeastSquares else 1.0, dtype=LONG)
    free = intercept and "liblinear" not in name
    ridge[-1] *= not free
    rest = np.setdiff1d(np.arange(len(y)), gone)
    labels = y if kind is LeastSquares else np.where(y == y.max(), 1.0, -1.0)
    C = LONG(1.0 if kind is LeastSquares else strength)
    kept = (kind, design[rest].astype(LONG), labels[rest].astype(LONG), C, ridge)
    best = minimiser(*kept, v)
    moved = float(np.linalg.norm((v - best).astype(float)))
    steep = float(np.linalg.norm(gradient_of(*kept, v.astype(LONG))[0].astype(float)))
    rounding = 1e-13 * float(np.linalg.norm(v))
    assert certificate.distance >= moved - rounding
    # Points nearer the minimiser leave nothing of what the ridge gives away.
    assert certificate.distance <= (1 + 1e-8) * moved + rounding
    if not free:
        assert certificate.distance <= 1.01 * steep / float(ridge[0])
    return certificate.distance / moved, None if free else certificate.distance * ridge[0] / steep


@pytest.mark.parametrize("name", FITS)
def test_never_below_the_distance_from_retraining(name):
    rng = np.random.default_rng(3)
    for data in DATA if "ridge" in name else list(DATA)[:3]:
        share, strength = rng.uniform(0.01, 0.3), 10 ** rng.uniform(-3, 1)
        ratio, _ = held_against_the_truth(name, data, share, float(strength), rng)
        assert ratio >= 1 - 1e-9


@settings(max_examples=60)
@given(st.integers(0, 2**31), st.floats(-3, 3), st.sampled_from([Logistic, LogCosh, Ridge]))
def test_a_free_intercept_is_covered_wherever_the_model_is(seed, power, loss):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(3, 12)), int(rng.integers(1, 4))
    X = rng.normal(size=(n, d)) * 10 ** rng.uniform(-1, 1) + rng.normal()
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0) if loss is Logistic else 3 * rng.normal(size=n)
    ridge, weight = float(10**power), float(10 ** rng.uniform(-1, 1))
    v = rng.normal(size=d + 1) * 10 ** rng.uniform(-3, 1)
    made = Objective(loss(ridge), weight, "free")
    found = made.distance(Dataset(X, y), v)

    from scipy.optimize import minimize

    design = np.column_stack([X, np.ones(n)])
    slope = {
        Logistic: lambda z: -y / (1 + np.exp(np.clip(y * z, -700, 700))),
        LogCosh: lambda z: np.tanh(z - y),
        Ridge: lambda z: z - y,
    }[loss]
    value = {
        Logistic: lambda z: np.logaddexp(0, -y * z),
        Ridge: lambda z: (z - y) ** 2 / 2,
        LogCosh: lambda z: np.logaddexp(z - y, y - z),
    }[loss]
    penalty = np.append(np.full(d, ridge), 0.0)
    best = minimize(
        lambda u: weight * value(design @ u).sum() + (penalty * u * u).sum() / 2,
        v,
        jac=lambda u: weight * design.T @ slope(design @ u) + penalty * u,
        method="BFGS",
        options={"gtol": 1e-11, "maxiter": 2000},
    ).x
    assert np.linalg.norm(v - best) <= found.distance * (1 + 1e-4) + 1e-4


@pytest.mark.parametrize("level", [0.0, 1e-300, 1e-8, 0.1, 0.63, 0.64, 1.0, 3.0, 700.0, 1e9])
def test_a_mean_change_is_at_least_where_h_reaches_the_level(level):
    """h(t) = t(1 - e^-t): met to rounding below 1 - 1/e, and by 1/e more at most beyond."""
    found = mpmath.mpf(float(_mean_change(flint, flint.arb(level)).upper()))
    less = found - 1 / mpmath.e if level > 1 - math.exp(-1) else found * (1 - 1e-6)
    assert found * -mpmath.expm1(-found) >= level * (1 - 1e-15)
    assert less * -mpmath.expm1(-less) <= level * (1 + 1e-15)


def test_the_gradient_of_every_loss_in_many_digits():
    rng = np.random.default_rng(2)
    X, w = rng.normal(size=(5, 3)) * 3, rng.normal(size=3)
    signs, reals = np.array([1.0, -1, 1, 1, -1]), rng.normal(size=5)
    made = {
        "logistic": (Logistic(0.3), signs, lambda z, y: -y / (1 + mpmath.exp(y * z))),
        "ridge": (Ridge(0.3), reals, lambda z, y: z - y),
        "logcosh": (LogCosh(0.3), reals, lambda z, y: mpmath.tanh(z - y)),
        "huber": (
            Huber(0.3, None, 0.7),
            reals,
            lambda z, y: max(-mpmath.mpf(0.7), min(mpmath.mpf(0.7), z - y)),
        ),
        "hinge": (
            SmoothedHinge(0.3, None, 0.6),
            signs,
            lambda z, y: -y * max(0, min(1, (1 - y * z) / mpmath.mpf(0.6))),
        ),
    }
    with mpmath.workdps(60):
        rows = [[mpmath.mpf(x) for x in row] for row in X.tolist()]
        for loss, targets, slope in made.values():
            ridge, at = mpmath.mpf(loss.regularisation), list(map(mpmath.mpf, w.tolist()))
            each = [
                slope(mpmath.fdot(row, at), mpmath.mpf(y))
                for row, y in zip(rows, targets.tolist(), strict=True)
            ]
            g = [mpmath.fdot(each, [row[j] for row in rows]) / 5 + ridge * at[j] for j in range(3)]
            true = mpmath.sqrt(mpmath.fsum(x * x for x in g))
            found = Objective(loss).distance(Dataset(X, targets), w)
            assert true <= found.gradient <= float(true) * (1 + 1e-15)
            assert found.distance <= float(true / ridge) * (1 + 1e-15)


def test_a_parabola_attains_the_bound():
    data = Dataset(np.zeros((2, 3)), np.zeros(2))
    w = np.array([3.0, -4.0, 12.0])
    found = Objective(Ridge(0.1)).distance(data, w)
    assert 13 <= found.distance <= 13 * (1 + 1e-15)


def test_softmax_as_scikit_learn_fits_it():
    X, y = load_wine(return_X_y=True)
    X = standard(X)
    model = LogisticRegression(fit_intercept=False, C=0.2, tol=1e-10).fit(X, y)
    found = certify_erm(model, (X, y), removed=[]).problem.certificate
    assert found.distance < 1e-6
    gone = certify_erm(model, (X, y), removed=[0, 70, 150])
    other = LogisticRegression(fit_intercept=False, C=0.2, tol=1e-12, max_iter=1000)
    rest = np.delete(np.arange(len(y)), [0, 70, 150])
    other.fit(X[rest], y[rest])
    moved = np.linalg.norm(other.coef_ - model.coef_)
    assert moved <= gone.problem.certificate.distance + 1e-6
    assert gone.released.shape == (13, 3)
    with_intercept = LogisticRegression().fit(X, y)
    with pytest.raises(ValueError, match="intercept must be none or penalised for softmax"):
        certify_erm(with_intercept, (X, y))


def small(**changes):
    rng = np.random.default_rng(0)
    data = Dataset(rng.normal(size=(20, 2)), np.where(np.arange(20) % 2, 1.0, -1.0))
    given_ = {"data": data, "model": [0.1, -0.2], "loss": Logistic(0.5), "removed": [3, 7]}
    return Erm(**(given_ | changes))


def test_the_noise_is_the_distance_over_mu_and_what_is_released_has_it():
    problem = small()
    sigma = float(problem.noise("exact", TARGET).noise)
    assert sigma == pytest.approx(problem.distance / float(mu_gdp(1.0, 1e-5)), rel=1e-9)
    found = [
        forgetproof.certify_erm(
            Logistic(0.5),
            problem.data,
            [0.1, -0.2],
            removed=[3, 7],
            rng=np.random.default_rng(seed),
        ).released
        for seed in range(150)
    ]
    assert np.std(found, axis=0) == pytest.approx(sigma, rel=0.25)
    assert np.mean(found, axis=0) == pytest.approx([0.1, -0.2], abs=0.25 * sigma)
    one, two = (certify_erm(Logistic(0.5), problem.data, [0.1, -0.2]).released for _ in range(2))
    assert (one != two).all()  # of the system's entropy


@pytest.mark.parametrize("intercept", ["none", "penalised", "free"])
def test_more_newton_steps_are_never_refused_and_end_at_rounding(intercept):
    """As far as doubles go; and where the gradient is 0, its ball reaches below 0."""
    X, y = DATA["wine"]()
    signs = np.where(y == y[0], 1.0, -1.0)
    wide = X if intercept == "none" else np.hstack([X, np.ones((len(X), 1))])
    weights = np.full(wide.shape[1], 0.05 * len(X))
    if intercept == "free":
        weights[-1] = 0.0
    v, found = np.zeros(wide.shape[1]), []
    for _ in range(12):
        g, hessian = gradient_of(LogisticRegression, wide, signs, LONG(1), weights, v)
        v = v - np.linalg.solve(hessian, g.astype(float))
        made = certify_erm(Logistic(0.05), (X, signs), v, intercept=intercept)
        found.append(made.problem.distance)
    assert found[2] > 1e-6
    assert 0 < max(found[-3:]) < 1e-13
    rows = Dataset(np.ones((2, 1)), np.array([1.0, -1.0]))
    at = np.zeros(1 if intercept == "none" else 2)
    least = certify_erm(Logistic(0.05), rows, at, intercept=intercept).problem.distance
    assert 0 <= least < 1e-14


def test_a_public_sigma_certifies_or_retrains():
    problem = small()
    sigma = float(problem.noise("exact", TARGET).noise)
    given_ = {"removed": [3, 7], "rng": np.random.default_rng(1)}
    enough = certify_erm(Logistic(0.5), problem.data, [0.1, -0.2], sigma=sigma, **given_)
    assert not enough.retrained
    assert "whether it was certified or retrained" in enough.guarantee
    asked = []

    def retrain(kept):
        asked.append(len(kept))
        return np.ones(2) if len(asked) > 1 else best(kept)

    def best(kept):
        from scipy.optimize import minimize

        z = kept.targets[:, None] * kept.features
        return minimize(
            lambda w: np.logaddexp(0, -z @ w).mean() + 0.25 * w @ w,
            np.zeros(2),
            jac=lambda w: -(z.T @ (1 / (1 + np.exp(z @ w)))) / len(z) + 0.5 * w,
            options={"gtol": 1e-12},
        ).x

    less = sigma / 2
    found = certify_erm(
        Logistic(0.5), problem.data, [0.1, -0.2], sigma=less, retrain=retrain, **given_
    )
    assert found.retrained
    assert asked == [18]
    assert "retrained=" not in repr(found)
    with pytest.raises(ValueError, match="sigma must be larger for this w"):
        certify_erm(Logistic(0.5), problem.data, [0.1, -0.2], sigma=less, **given_)
    with pytest.raises(ValueError, match="retrain must come nearer"):
        certify_erm(Logistic(0.5), problem.data, [9.0, 9.0], sigma=less, retrain=retrain, **given_)
    plans = [problem.plan(s, TARGET) for s in (sigma, less)]
    assert [p.details["certify_or_retrain"]["decision"] for p in plans] == ["certify", "retrain"]
    assert [p.recommended for p in plans] == ["exact", None]


def test_additions_and_solvers_that_stop_early_are_counted():
    data = small().data
    whole = Erm(data=data, model=[0.1, -0.2], loss=Logistic(0.5))
    parts = Erm(
        data=Dataset(data.features[:15], data.targets[:15]),
        model=[0.1, -0.2],
        loss=Logistic(0.5),
        added=Dataset(data.features[15:], data.targets[15:]),
    )
    assert parts.distance == whole.distance
    early = small(reference_gradient=0.01)
    assert early.distance == pytest.approx(small().distance + 0.02, rel=1e-12)
    assert any("reference_gradient" in each for each in early.assumptions.conditions)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"removed": [20]}, "removed must be distinct rows below 20"),
        ({"removed": [3, 3]}, "removed must be distinct rows below 20"),
        ({"removed": list(range(20))}, "removed must leave a row"),
        ({"model": [1.0]}, "model w must have 2 parameters for this intercept, got 1"),
        ({"loss": "logistic"}, "regularisation must be given with a named loss"),
        ({"regularisation": 1.0}, "regularisation must not be given"),
        ({"loss": Logistic(0.0)}, "loss must have a regularisation > 0"),
        ({"loss": Logistic(1.0, 0.5)}, "loss must have no clip"),
        (
            {"loss": SmoothedHinge(1.0), "intercept": "free", "model": [0.0] * 3},
            "intercept must be none or penalised for SmoothedHinge",
        ),
        (
            {"removed": list(range(0, 20, 2)), "intercept": "free", "model": [0.0] * 3},
            "no intercept is best",
        ),
        (
            {"intercept": "free", "model": [0.0] * 3, "reference_gradient": 1.0},
            "reference_gradient must not be given",
        ),
        ({"data": "nowhere.csv"}, "data must be a file that can be read"),
        ({"data": Dataset(np.zeros((3, 2))), "removed": None}, "data must have targets"),
        ({"loss": Softmax(2, 1.0), "intercept": "free"}, "for softmax"),
    ],
    ids=[
        "row",
        "twice",
        "all",
        "parameters",
        "ridge",
        "two ridges",
        "no ridge",
        "clip",
        "flat",
        "one class",
        "reference",
        "file",
        "targets",
        "softmax",
    ],
)
def test_what_cannot_be_certified_is_refused(changes, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        small(**changes)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (LogisticRegression(), "loss must be a loss, or a fitted"),
        (LogisticRegression(class_weight="balanced"), "class_weight must be None"),
        (LogisticRegression(C=np.inf), "C must be finite"),
        (LeastSquares(positive=True), "positive must be False"),
    ],
    ids=["not fitted", "class weight", "no ridge", "positive"],
)
def test_estimators_with_another_objective_are_refused(model, message):
    X, y = DATA["wine"]()
    if "fitted" not in message:
        model.fit(X, y)
    with pytest.raises(ValueError, match=message):
        certify_erm(model, (X, y))


def test_the_command_reads_files_and_says_what_it_does_not_promise(tmp_path, capsys):
    from forgetproof.cli import run

    X, y = DATA["wine"]()
    model = LogisticRegression(C=0.1).fit(X, y)
    files = {
        "data": np.column_stack([X, y]),
        "model": np.append(model.coef_, model.intercept_),
        "removed": np.array([0.0, 5.0]),
    }
    words = []
    for name, values in files.items():
        path = tmp_path / f"{name}.csv"
        np.savetxt(path, values, delimiter=",", fmt="%d" if name == "removed" else "%.17g")
        words += [f"--{name}", str(path)]
    shared = ["--epsilon", "1", "--delta", "1e-5", "--loss", "logistic", "--regularisation", "1"]
    code = run(["noise", "erm", *shared, "--weight", "0.1", "--intercept", "free", *words])
    out = capsys.readouterr().out
    assert code == 0
    sigma = certify_erm(model, (X, y), removed=[0, 5]).sigma
    assert f"sigma {sigma:.3g}"[:10] in out
    assert "data-dependent" in out
    assert "this pair of laws alone" in out
    assert math.isfinite(sigma)


def losses_of_many_kinds(rng):
    """Each with rows that it takes."""
    X = rng.normal(size=(30, 4)) * [1.0, 3.0, 0.1, 1.0]
    signs, reals = np.sign(rng.normal(size=30)), 2 * rng.normal(size=30)
    yield Logistic(1e-3), Dataset(X, signs)
    yield Ridge(1e-3), Dataset(X, reals)
    yield LogCosh(1e-3), Dataset(X, reals)
    yield Huber(1e-3, None, 0.7), Dataset(X, reals)
    yield SmoothedHinge(1e-3, None, 0.6), Dataset(X, signs)
    yield Softmax(3, 1e-3), Dataset(X, np.arange(30.0) % 3)


@pytest.mark.parametrize("seed", range(3))
def test_the_ridge_gives_nothing_away_for_any_loss(seed):
    """Against a point that quasi-FloatObjective steps find, on either side, up to its own error."""
    from scipy.optimize import minimize

    rng = np.random.default_rng(seed)
    for loss, data in losses_of_many_kinds(rng):
        shape = loss.parameter_shape(data)
        floats = Objective(loss)._in_floats(data)
        v = rng.normal(size=shape)
        zero, options = np.zeros(v.size), {"gtol": 1e-11, "maxiter": 2000}
        near = minimize(floats.value, zero, jac=floats.gradient, options=options).x
        error = float(np.linalg.norm(floats.gradient(near))) / loss.regularisation
        moved = float(np.linalg.norm(v.reshape(-1) - near))
        assert error < 1e-4 * moved
        found = Objective(loss).distance(data, v)
        assert abs(found.distance - moved) <= error + 1e-8 * moved
        assert found.distance < 0.7 * found.gradient / loss.regularisation


def test_nothing_rests_on_where_the_steps_end(monkeypatch):
    rng = np.random.default_rng(5)
    loss, data = next(losses_of_many_kinds(rng))
    v = rng.normal(size=4)
    true = Objective(loss).distance(data, v)
    ends = (None, v, 1e3 * rng.normal(size=4), np.full(4, 1e200))
    for end in ends:
        monkeypatch.setattr(FloatObjective, "descend", lambda self, start, end=end: end)
        monkeypatch.setattr(FloatObjective, "step", lambda self, point, gradient: None)
        assert true.distance <= Objective(loss).distance(data, v).distance
    monkeypatch.setattr(FloatObjective, "descend", lambda self, start: None)
    assert Objective(loss).distance(data, v).distance <= 1.001 * true.gradient / 1e-3
