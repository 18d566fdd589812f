"""The accountants over targets, requests and domains: safe, ordered, and monotone."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounting.contraction.noisy_contraction import pabi_mu
from accounting.noisy_sgd.langevin import NoisySGD, mu_unlearning
from accounting.noisy_sgd.random_position import position_mus
from bounds.sglu.accountants import ACCOUNTANTS, TrainingScenario, loss, noise, privacy

SMALL = {"n": 4, "batch_size": 1, "smoothness": 1.0, "strong_convexity": 0.1, "lipschitz": 1.0}


def requests_mu(setting, epochs, requests, learned=200):
    """mu of S requests at the worst position, from the general accountant of noisy contractions."""
    J, shifts = setting.batches, []
    for outstanding in [requests] * learned + [
        requests - served for served in range(1, requests + 1) for _ in range(epochs)
    ]:
        epoch = np.zeros(J)
        epoch[-1] = outstanding * setting.sensitivity
        shifts.append(epoch)
    shift = np.concatenate(shifts)
    start = setting.diameter if math.isfinite(setting.diameter) else 0.0
    return pabi_mu(setting.contraction, shift, setting.unit_noise, start, setting.diameter)


@pytest.mark.parametrize("requests", [2, 3, 10])
@pytest.mark.parametrize("epochs", [1, 3])
@pytest.mark.parametrize("radius", [0.1, 1.0, 2.0, 5.0, 15.0, math.inf])
def test_several_requests_against_the_general_accountant(radius, epochs, requests):
    setting = NoisySGD(**SMALL, step_size=0.5, radius=radius)
    scenario = TrainingScenario(setting, unlearn_epochs=epochs, requests=requests)
    (exact,), (corrected,) = (loss(scenario, name).strengths for name in ("exact", "corrected"))
    least = requests_mu(setting, epochs, requests)
    assert least * (1 - 1e-12) <= exact <= corrected * (1 + 1e-12)
    if math.isinf(radius):
        assert exact == pytest.approx(least, rel=1e-9)


@pytest.mark.parametrize("radius", [0.05, 1.0, 4.0, 30.0, math.inf])
def test_noise_for_the_last_request_is_enough_for_every_one(radius):
    setting = NoisySGD(**SMALL, step_size=0.5, radius=radius)
    for name in ("corrected", "exact"):
        sigmas = [
            loss(TrainingScenario(setting, requests=s), name).sigma(1, 1e-5)
            for s in (1, 2, 3, 7, 50)
        ]
        assert sigmas == sorted(sigmas)
        if radius < 1:
            assert sigmas[0] == pytest.approx(sigmas[-1])


def test_a_million_requests_are_the_limit_of_the_recursion():
    setting = NoisySGD(**SMALL, step_size=0.5)
    many, more = (noise(TrainingScenario(setting, requests=s), 1, 1e-5) for s in (10**6, 10**12))
    assert many == pytest.approx(more, rel=1e-12)
    Z, a = float(setting.distance()), setting.contraction**4
    assert more["printed"] / noise(TrainingScenario(setting, requests=2), 1, 1e-5)["printed"] == (
        pytest.approx(Z / (1 - a) / (Z * (1 + a)), rel=1e-12)
    )


@pytest.mark.parametrize(
    ("T", "K", "target"), [(1, 1, "T"), (2, 5, "T"), (3, 1, "T"), (1, 1, "T+K"), (4, 2, "T+K")]
)
@pytest.mark.parametrize("radius", [0.3, 3.0])
def test_short_learning_against_the_general_accountant(T, K, target, radius):
    setting = NoisySGD(**SMALL, step_size=0.5, radius=radius)
    scenario = TrainingScenario(setting, unlearn_epochs=K, learn_epochs=T, target=target)
    (exact,) = loss(scenario, "exact").strengths
    J = setting.batches
    if target == "T":  # aligned at the ends, the runs start anywhere and share min(T, K) epochs
        shift, start = np.zeros(T * J), 2 * radius
        shift[J - 1 : max(T - K, 0) * J : J] = setting.sensitivity
    else:
        shift, start = np.zeros((T + K) * J), 0.0
        shift[J - 1 : T * J : J] = setting.sensitivity
    least = pabi_mu(setting.contraction, shift, setting.unit_noise, start, 2 * radius)
    assert exact == pytest.approx(least, rel=1e-9)
    assert exact == mu_unlearning(setting, 1.0, K, learn_epochs=T, target=target)


@pytest.mark.parametrize("radius", [0.05, 1.0, math.inf])
@pytest.mark.parametrize("m", [1.0, 0.1, 1e-9])
def test_all_positions_at_once_are_those_of_one_at_a_time(m, radius):
    setting = NoisySGD(12, 2, 1.0, m, 1.0, radius=radius)
    one_by_one = [mu_unlearning(setting, 1.0, 2, position=j) for j in range(6)]
    assert position_mus(setting, 2).tolist() == one_by_one


scenarios = st.builds(
    lambda J, m, M, R, K, target, T, requests, order: TrainingScenario(
        NoisySGD(3 * J, 3, 1.0, m, M, radius=5.0 if target == "T" and math.isinf(R) else R),
        unlearn_epochs=K,
        target=target,
        learn_epochs=None if target == "stationary" else T,
        requests=requests if target == "stationary" and order == "fixed" else 1,
        batch_order=order if target == "stationary" else "fixed",
    ),
    J=st.sampled_from([1, 2, 7]),
    m=st.sampled_from([1e-9, 1e-3, 0.2, 0.9]),
    M=st.sampled_from([0.1, 1.0, 1e3]),
    R=st.sampled_from([0.1, 1.0, 1e3, math.inf]),
    K=st.sampled_from([1, 2, 30]),
    target=st.sampled_from(["stationary", "stationary", "T", "T+K"]),
    T=st.sampled_from([1, 2, 100]),
    requests=st.sampled_from([1, 2, 50]),
    order=st.sampled_from(["fixed", "random"]),
)


@settings(max_examples=60, deadline=None)
@given(scenarios, st.floats(1e-3, 30), st.floats(1e-12, 0.3))
def test_noise_is_least_safe_and_ordered(scenario, epsilon, delta):
    found = noise(scenario, epsilon, delta)
    assert found["exact"] <= found["corrected"] * (1 + 1e-9)
    assert found["corrected"] <= found["printed"] * (1 + 1e-9)
    for name in ACCOUNTANTS:
        if found[name] > 0:
            assert privacy(scenario, found[name], delta)[name] <= epsilon * (1 + 1e-12)
            assert privacy(scenario, found[name] * (1 - 1e-6), delta)[name] > epsilon
    longer = noise(replace(scenario, unlearn_epochs=scenario.unlearn_epochs + 1), epsilon, delta)
    wider = replace(scenario.setting, radius=2 * scenario.setting.radius)
    larger = noise(replace(scenario, setting=wider), epsilon, delta)
    for name in ACCOUNTANTS:
        assert longer[name] <= found[name] * (1 + 1e-9)
        assert larger[name] >= found[name] * (1 - 1e-9)


@pytest.mark.parametrize(
    "changes",
    [
        {"lipschitz": 1e-320},
        {"lipschitz": 1e300},
        {"strong_convexity": 1e-320},
        {"strong_convexity": 1.0},
        {"smoothness": 1e300},
        {"radius": 1e-300},
        {"radius": 1e308},
        {"strong_convexity": 1e-17, "radius": 3.0},
    ],
    ids=lambda changes: ", ".join(f"{name}={value:g}" for name, value in changes.items()),
)
@pytest.mark.parametrize("epochs", [1, 10**9])
@pytest.mark.parametrize("epsilon", [1e-300, 1.0, 1e308])
def test_the_ends_of_the_float_range_give_numbers(changes, epochs, epsilon):
    setting = NoisySGD(**{**SMALL, **changes})
    for order in ("fixed", "random"):
        scenario = TrainingScenario(setting, unlearn_epochs=epochs, batch_order=order)
        if epsilon == 1e308 and order == "random":
            continue
        for value in noise(scenario, epsilon, 1e-300).values():
            assert value >= 0
            assert value > 0 or setting.contraction == 0
        for sigma in (1e-300, 1.0, 1e300):
            assert all(value >= 0 for value in privacy(scenario, sigma, 1e-300).values())
