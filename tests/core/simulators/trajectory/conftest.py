"""Small problems in which the answers are known."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from simulators.data.dataset import Dataset
from simulators.losses.logistic import Logistic
from simulators.losses.ridge import Ridge
from simulators.losses.softmax import Softmax
from simulators.trajectory.generic import FunctionModel
from simulators.trajectory.models import LinearScore, SoftmaxScore
from simulators.trajectory.training import Training, batches_of, geometric_steps


def _bowl(w, A, c):
    return 0.5 * w @ (A @ w) - c @ w


def quadratics(seed=0, n=7, d=3, convex=False, batch=3, epochs=3):
    """l_i = <w, A_i w>/2 - <c_i, w> with Hessians of their own that do not commute."""
    random = np.random.default_rng(seed)
    A = random.standard_normal((n, d, d))
    A = A @ A.transpose(0, 2, 1) if convex else A + A.transpose(0, 2, 1)
    c = random.standard_normal((n, d))
    together = np.concatenate([A, c[:, :, None]], axis=2)

    def loss(w, x, y):
        return _bowl(w, x[:, :d], x[:, d])

    model = FunctionModel(loss, together, np.zeros(n), d)
    training = Training(
        batches_of(n, batch, epochs, seed=seed),
        geometric_steps(0.2, 0.97, epochs * -(-n // batch)),
        random.standard_normal(d),
    )
    return SimpleNamespace(model=model, training=training, A=A, c=c, n=n, d=d)


def points_on_a_line(c):
    """l_i = (w - c_i)^2/2."""
    c = np.asarray(c, dtype=float)
    return LinearScore(Ridge(), Dataset(np.ones((len(c), 1)), c))


def logistic(seed=0, n=23, d=4, ridge=0.1, batch=6, epochs=3, step=0.8, clip=None):
    random = np.random.default_rng(seed)
    features = random.standard_normal((n, d))
    labels = np.where(random.random(n) < 0.5, -1.0, 1.0)
    model = LinearScore(Logistic(ridge, clip=clip), Dataset(features, labels))
    training = Training(
        batches_of(n, batch, epochs, seed=seed),
        geometric_steps(step, 0.95, epochs * -(-n // batch)),
        0.3 * random.standard_normal(d),
    )
    return SimpleNamespace(model=model, training=training, X=features, y=labels, n=n, d=d)


def softmax(seed=0, n=17, d=3, classes=3, ridge=0.05, batch=5, epochs=3):
    random = np.random.default_rng(seed)
    features = random.standard_normal((n, d))
    labels = random.integers(0, classes, n).astype(float)
    model = SoftmaxScore(Softmax(classes=classes, regularisation=ridge), Dataset(features, labels))

    def loss(w, x, y):
        logits = w.view(classes, d) @ x
        return torch.logsumexp(logits, 0) - (logits * y).sum() + 0.5 * ridge * (w @ w)

    generic = FunctionModel(loss, features, np.eye(classes)[labels.astype(int)], classes * d)
    training = Training(
        batches_of(n, batch, epochs, seed=seed),
        geometric_steps(0.8, 0.95, epochs * -(-n // batch)),
        0.3 * random.standard_normal(classes * d),
    )
    return SimpleNamespace(model=model, generic=generic, training=training, n=n)


def deterministic():
    """The six points, cyclic batches and U = {0} of the reference run of mini."""
    X = np.array([(1, 0.2), (-0.5, 1), (0.3, -0.8), (-0.9, -0.4), (0.7, 0.6), (-0.2, 0.5)])
    y = np.array([1.0, -1, -1, -1, 1, 1])
    cycle = ([0, 1, 2], [2, 3, 4], [0, 3, 5], [1, 4, 5])
    training = Training(
        tuple(np.array(cycle[t % 4]) for t in range(20)), np.full(20, 0.5), np.zeros(2)
    )
    return SimpleNamespace(model=LinearScore(Logistic(0.1), Dataset(X, y)), training=training)


@pytest.fixture(scope="session")
def problems():
    return SimpleNamespace(
        quadratics=quadratics,
        points_on_a_line=points_on_a_line,
        logistic=logistic,
        softmax=softmax,
        deterministic=deterministic,
    )
