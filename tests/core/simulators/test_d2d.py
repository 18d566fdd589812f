"""Descent to Delete: the sensitivity recursion is attained, the noise is N(0, sigma^2 I)."""

import math

import numpy as np
import pytest
from scipy import stats

from simulators.data.adjacency import replaced
from simulators.data.synthetic import two_gaussians, worst_pair
from simulators.domains import Ball
from simulators.langevin.descent_to_delete import descent_to_delete
from simulators.losses.logistic import Logistic
from simulators.losses.quadratic import Quadratic, linear
from tests.equality import same_bits

DATA = two_gaussians(10, 2, seed=3).normalised()
UPDATES = [replaced(DATA, 4, [0.0, 1.0], 1.0), replaced(DATA, [1, 4], np.eye(2), [1.0, 1.0])]
COMMON = {"learn_steps": 30, "unlearn_steps": 3, "trials": 50, "seed": 2}


def descend(loss, data, start, steps, eta, radius=math.inf):
    x = np.array(start, dtype=float)
    for _ in range(steps):
        margins = data.targets * (data.features @ x)
        slope = -data.targets / (1 + np.exp(margins))
        x = x - eta * ((slope[:, None] * data.features).mean(axis=0) + loss.regularisation * x)
        x = x * min(1.0, radius / np.linalg.norm(x))
    return x


@pytest.mark.parametrize("internal", [True, False])
def test_noiseless_path(internal):
    """With sigma = 0 both variants are plain projected gradient descent of step 2/(L + m)."""
    loss = Logistic(0.2)
    run = descent_to_delete(
        loss, DATA, UPDATES, sigma=0.0, internal_state=internal, domain=Ball(0.5), **COMMON
    )
    constants = loss.constants(DATA, *UPDATES, domain=Ball(0.5))
    eta = 2 / (constants.smoothness + constants.strong_convexity)
    x = descend(loss, DATA, np.zeros(2), 30, eta, 0.5)
    assert run.learned == pytest.approx(np.tile(x, (50, 1)), rel=1e-9)
    for update, published in zip(UPDATES, run.requests, strict=True):
        x = descend(loss, update, x, 3, eta, 0.5)
        assert published == pytest.approx(np.tile(x, (50, 1)), rel=1e-9)
    assert run.gradient_evaluations == {"learn": 300, "request 1": 30, "request 2": 30}


def test_without_internal_state_the_published_point_is_continued():
    loss = Logistic(0.2)
    run = descent_to_delete(loss, DATA, UPDATES, sigma=0.3, internal_state=False, **COMMON)
    secret = descent_to_delete(loss, DATA, UPDATES, sigma=0.3, internal_state=True, **COMMON)
    constants = loss.constants(DATA, *UPDATES)
    eta = 2 / (constants.smoothness + constants.strong_convexity)
    noise = secret.requests[0] - descend(
        loss, UPDATES[0], descend(loss, DATA, np.zeros(2), 30, eta), 3, eta
    )
    for trial in range(5):
        x = descend(loss, UPDATES[0], run.learned[trial], 3, eta)
        assert run.requests[0][trial] == pytest.approx(x + noise[trial], rel=1e-9)
    assert np.abs(run.requests[0] - secret.requests[0]).max() > 1e-3


def test_publication_noise():
    """Covariance sigma^2 I and independence of two publications; 20,000 trials, level 1e-5."""
    run = descent_to_delete(
        Logistic(0.2),
        DATA,
        UPDATES,
        sigma=0.3,
        internal_state=True,
        retrain=True,
        **{**COMMON, "trials": 20_000},
    )
    for name in ("learned", "unlearned", "retrained"):
        _, covariance = run.moments(name)
        for i in range(2):
            ratio = 19_999 * covariance[i, i] / 0.09
            assert min(stats.chi2.sf(ratio, 19_999), stats.chi2.cdf(ratio, 19_999)) > 1e-5
    both = np.hstack([run.requests[0], run.requests[1], run.retrained])
    correlation = np.corrcoef(both.T) - np.eye(6)
    assert np.abs(correlation).max() < 5 / math.sqrt(20_000)


def test_quadratics_attain_the_sensitivity_recursion():
    """e_i = gamma^I (e_{i-1} + Delta), Delta = 2M/(mn): the optimum moves by Delta per request."""
    first, second = worst_pair(4, 1, bound=1.0, batch_size=4)
    loss = Quadratic(0.5)
    eta, steps = 0.8, 3
    sets = [first, second] * 4
    run = descent_to_delete(
        loss,
        sets[0],
        sets[1:],
        sigma=0.0,
        internal_state=True,
        step_size=eta,
        learn_steps=400,
        unlearn_steps=steps,
        trials=1,
        seed=0,
    )
    gamma, delta = 1 - eta * 0.5, 2 * 1.0 / (0.5 * 4)
    position = first.features.mean() / 0.5
    for data, published in zip(sets[1:], run.requests, strict=True):
        optimum = data.features.mean() / 0.5
        position = optimum + gamma**steps * (position - optimum)
        assert published[0, 0] == pytest.approx(position, rel=1e-9)
    assert abs(2 * first.features.mean() / 0.5) == pytest.approx(delta)


def test_fewer_trials_are_a_prefix():
    for internal in (True, False):
        settings = {**COMMON, "sigma": 0.5, "internal_state": internal, "retrain": True}
        long = descent_to_delete(
            Logistic(0.2), DATA, UPDATES, **{**settings, "trials": 5000}, block=64
        )
        short = descent_to_delete(Logistic(0.2), DATA, UPDATES, **settings, block=64)
        for name in ("learned", "unlearned", "retrained"):
            same_bits(getattr(long, name)[:50], getattr(short, name), name)


def test_invalid_input():
    good = {**COMMON, "sigma": 0.1, "internal_state": True}
    for name, bad in {
        "internal_state": 1,
        "learn_steps": -1,
        "unlearn_steps": [1, 2, 3],
        "sigma": math.nan,
        "initial": np.zeros((50, 2)),
        "step_size": 0.0,
        "trials": 0,
    }.items():
        with pytest.raises(ValueError, match=name):
            descent_to_delete(Logistic(0.2), DATA, UPDATES, **{**good, name: bad})
    with pytest.raises(ValueError, match="updates must hold"):
        descent_to_delete(Logistic(0.2), DATA, [], **good)
    first, second = worst_pair(4, 1, bound=1.0, batch_size=4)
    with pytest.raises(ValueError, match="step_size must be given"):
        descent_to_delete(linear(), first, [second], **good)
