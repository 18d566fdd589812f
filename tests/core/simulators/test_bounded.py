"""Constants of public bounds hold for whatever rows come: compared with brute force on the rows.

Gradients and Hessians are those of numpy formulas written here, at random and at extreme models.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from accounting.problems.learner import Learner
from simulators.data.dataset import Dataset
from simulators.losses.softmax import Softmax
from simulators.runs.bounded import Bounded

LINEAR = {
    "logistic": (lambda z: -expit(-z), lambda z: expit(z) * expit(-z)),
    "ridge": (lambda z: z, np.ones_like),
    "huber": (lambda z: np.clip(z, -1, 1), lambda z: (np.abs(z) <= 1).astype(float)),
    "logcosh": (np.tanh, lambda z: 1 - np.tanh(z) ** 2),
}
ROOM = 1 + 1e-12  # of these formulas, not of the constants


def asked(loss, X, y, **more):
    how = {"regularisation": 0.1, "test_share": 0.0, "shuffle": False, **more}
    return Bounded(data=Dataset(X, y), loss=loss, **how)


def score(loss, X, y, w):
    """phi's argument, and the sign of X in it."""
    return (y * (X @ w), y) if loss == "logistic" else (X @ w - y, np.ones(len(y)))


def gradients_at(loss, X, y, w):
    """(n, d), without the ridge."""
    z, sign = score(loss, X, y, w)
    return (LINEAR[loss][0](z) * sign)[:, None] * X


def hessians_at(loss, X, y, w, lam):
    """(n, d, d), with the ridge."""
    curve = LINEAR[loss][1](score(loss, X, y, w)[0])
    return curve[:, None, None] * X[:, :, None] * X[:, None, :] + lam * np.eye(len(w))


@st.composite
def questions(draw):
    """Rows and targets of any size, what is known of them, and models in the ball."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, d = draw(st.integers(2, 6)), draw(st.integers(1, 4))
    loss = draw(st.sampled_from(sorted(LINEAR)))
    X = random.normal(size=(n, d)) * 10 ** draw(st.floats(-2, 2))
    y = random.choice([-1.0, 1.0], n) if loss == "logistic" else random.normal(size=n) * 3
    if loss == "logistic":
        y[:2] = -1.0, 1.0
    radius = draw(st.sampled_from([0.5, 3.0, math.inf] if loss != "ridge" else [0.5, 3.0]))
    more = {"radius": radius, "regularisation": 10 ** draw(st.floats(-3, 0))}
    how = draw(st.sampled_from(["scaled", "clipped", "measured"]))
    if how == "clipped":
        more |= {"row_norm": 10 ** draw(st.floats(-1, 1)), "clip_rows": True}
        more |= {} if loss == "logistic" else {"target_bound": 0.7}
    if how == "measured":
        more["normalise"] = False
    models = random.normal(size=(4, d))
    models *= (min(radius, 50.0) / np.linalg.norm(models, axis=1))[:, None]
    towards = X[:2] / np.linalg.norm(X[:2], axis=1)[:, None] * min(radius, 50.0)
    return (loss, X, y, more), np.vstack([models, towards, -towards, np.zeros(d)])


@settings(max_examples=60)
@given(question=questions())
def test_no_row_passes_the_constants_of_its_bounds(question):
    (loss, X, y, more), models = question
    task = asked(loss, X, y, **more)
    data, found, lam = task.parts[0], task.learner, task.regularisation
    for w in models:
        gradients = gradients_at(loss, data.features, data.targets, w)
        hessians = hessians_at(loss, data.features, data.targets, w, lam)
        lengths = np.linalg.norm(gradients, axis=1)
        assert lengths.max() <= found.slope * ROOM
        apart = np.linalg.norm(gradients[:, None] - gradients[None], axis=2)
        assert apart.max() <= 2 * found.slope * ROOM
        eigenvalues = np.linalg.eigvalsh(hessians)
        assert eigenvalues.max() <= found.smoothness * ROOM
        assert eigenvalues.min() >= found.regularisation - 1e-12 * found.smoothness
        if math.isfinite(task.radius):
            whole = np.linalg.norm(gradients + lam * w, axis=1)
            assert whole.max() <= found.lipschitz * ROOM
    for v, w in itertools.pairwise(models):
        here, there = (hessians_at(loss, data.features, data.targets, x, lam) for x in (v, w))
        change, length = np.linalg.norm(here - there, 2, axis=(1, 2)).max(), np.linalg.norm(v - w)
        assert length == 0 or change <= found.hessian_lipschitz * length * ROOM + 1e-9 * change


@settings(max_examples=20)
@given(question=questions(), epochs=st.integers(1, 30))
def test_no_descent_from_0_leaves_its_reach(question, epochs):
    """Steps of 2/(mu + L), of 1/L, and of 1/lambda; the first ends as near as it is said to."""
    (loss, X, y, more), _ = question
    task = asked(loss, X, y, **more)
    data, found, lam = task.parts[0], task.learner, task.regularisation
    if math.isfinite(task.radius):
        return

    def mean(w):
        return gradients_at(loss, data.features, data.targets, w).mean(axis=0) + lam * w

    last = {}
    for name, eta in (
        ("best", 2 / (lam + found.smoothness)),
        ("short", 1 / found.smoothness),
        ("long", 1 / lam),
    ):
        w = np.zeros(data.dimension)
        for _ in range(epochs):
            w = w - eta * mean(w)
            if eta <= 1 / lam:
                assert np.linalg.norm(w) <= found.reach * ROOM
                assert np.linalg.norm(mean(w)) <= found.gradient * ROOM
        last[name] = w
    # |w - w*| <= |grad F(w)|/lambda holds for every w, and the bound is not below the truth.
    star = last["best"]
    for _ in range(1000):
        star = star - 2 / (lam + found.smoothness) * mean(star)
    far = Learner(**{**vars(found), "epochs": epochs}).left
    error = np.linalg.norm(mean(star)) / lam
    assert np.linalg.norm(last["best"] - star) <= far * ROOM + error


@given(seed=st.integers(0, 2**32), size=st.floats(0.1, 10))
@settings(max_examples=25)
def test_softmax_holds_as_well(seed, size):
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(5, 3)) * size, np.array([0.0, 1.0, 2.0, 0.0, 1.0])
    task = asked(Softmax(3, 0.1), X, y, row_norm=size, clip_rows=True, regularisation=None)
    data, found = task.parts[0], task.learner
    assert found.parameters == 9
    for W in random.normal(size=(4, 3, 3)) * 10:
        logits = data.features @ W
        p = np.exp(logits - logits.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        pull = p - np.eye(3)[y.astype(int)]
        for x, q, g in zip(data.features, p, pull, strict=True):
            assert np.linalg.norm(np.outer(x, g)) <= found.slope * ROOM
            curve = np.kron(np.outer(x, x), np.diag(q) - np.outer(q, q)) + 0.1 * np.eye(9)
            assert np.linalg.eigvalsh(curve).max() <= found.smoothness * ROOM


@pytest.mark.parametrize("how", ["scaled", "clipped", "measured"])
def test_another_row_changes_constants_only_where_they_are_measured(how):
    random = np.random.default_rng(1)
    X, y = random.normal(size=(8, 3)), np.tile([-1.0, 1.0], 4)
    more = {"clipped": {"row_norm": 0.5, "clip_rows": True}, "measured": {"normalise": False}}
    first = asked("logistic", X, y, **more.get(how, {})).learner
    X[3] *= 40
    second = asked("logistic", X, y, **more.get(how, {})).learner
    assert (first == second) == (how != "measured")
    assert first.measured == (("row_norm",) if how == "measured" else ())


def test_the_ends_of_reach():
    plain = {"n": 9, "parameters": 2, "smoothness": 1.0, "hessian_lipschitz": 1.0}
    free = Learner(**plain, regularisation=0.0, slope=1.0)
    assert (free.reach, free.gradient) == (math.inf, pytest.approx(1))
    steep = Learner(**plain, regularisation=0.1, slope=math.inf, radius=3.0)
    assert steep.reach == 3.0
    assert free.left == math.inf
