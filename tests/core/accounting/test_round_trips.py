"""Every inverse certifies when its own forward function is called, to the last bit."""

import math

import numpy as np
import pytest

import accounting
from accounting import (
    DeletionAccountant,
    DeletionSchedule,
    NoisySGD,
    OnlineDescent,
    RenyiCurve,
    inverse_time,
)

COUNT = 2000
FEW, SLOW = 40, 8


def size(rng, low, high, count=COUNT):
    return 10.0 ** rng.uniform(low, high, count)


def deltas(rng, count=COUNT, least=-12):
    """Small, middling and close to 1."""
    near = -np.expm1(-size(rng, -14, 0, count))
    return np.where(rng.random(count) < 0.2, near, size(rng, least, -0.01, count))


def widths(rng):
    """What people use, and the ends of the floats."""
    yield size(rng, -3, 2), size(rng, -3, 2), size(rng, -6, 3), deltas(rng)
    yield size(rng, -300, 300), size(rng, -300, 150), size(rng, -300, 300), deltas(rng, least=-322)
    yield np.zeros(COUNT), size(rng, -12, 2), size(rng, -12, 2), deltas(rng)


def gaussian_epsilon(rng):
    for _, mu, _, delta in widths(rng):
        found = accounting.epsilon_gdp(mu, delta)
        yield accounting.delta_gdp(mu, found) <= delta
        yield accounting.epsilon_gdp(mu, log_delta=np.log(delta)) >= 0
        log = -size(rng, -15, 5)
        yield accounting.log_delta_gdp(mu, accounting.epsilon_gdp(mu, log_delta=log)) <= log


def gaussian_mu(rng):
    for epsilon, _, _, delta in widths(rng):
        found = accounting.mu_gdp(epsilon, delta)
        yield accounting.delta_gdp(found, epsilon) <= delta
        yield accounting.epsilon_gdp(found, delta) <= epsilon
        log = -size(rng, -15, 5)
        found = accounting.mu_gdp(epsilon, log_delta=log)
        yield accounting.log_delta_gdp(found, epsilon) <= log
        yield accounting.epsilon_gdp(found, log_delta=log) <= epsilon


def linear_rho(name):
    def pair(rng):
        inverse = getattr(accounting, f"rho_{name}")
        forward = getattr(accounting, f"epsilon_{name}")
        for epsilon, _, _, delta in widths(rng):
            found = inverse(epsilon, delta)
            yield np.isfinite(found)
            yield forward(found, delta) <= epsilon
        ends = np.array([1e307, 1e308, 1.7e308, 1.79e308, -0.0, 5e-324])
        yield forward(inverse(ends, 1e-5), 1e-5) <= ends

    return pair


def epsilon_of_gaussian(rng):
    for _, _, rho, delta in widths(rng):
        found = accounting.epsilon_gaussian(rho, delta)
        yield accounting.delta_gdp(np.sqrt(2) * np.sqrt(rho), found) <= delta


def optimal_epsilon(rng):
    rho, delta = size(rng, -5, 2, SLOW), deltas(rng, SLOW)
    found = accounting.epsilon_optimal(rho, delta)
    yield accounting.delta_optimal(rho, found) <= delta
    yield accounting.log_delta_optimal(rho, found) <= np.log(delta)


def optimal_rho(rng):
    epsilon, delta = size(rng, -3, 2, SLOW), deltas(rng, SLOW)
    found = accounting.rho_optimal(epsilon, delta)
    yield accounting.epsilon_optimal(found, delta) <= epsilon
    yield accounting.delta_optimal(found, epsilon) <= delta
    ends = np.array([1.7e308, -0.0])
    yield accounting.epsilon_optimal(accounting.rho_optimal(ends, 1e-5), 1e-5) <= ends


def settings(rng):
    """Noisy SGD with one to six batches, a target, and unlearning epochs."""
    for _ in range(FEW):
        batch = int(rng.integers(1, 5))
        n = batch * int(rng.integers(1, 7))
        smooth = float(size(rng, -1, 1, 1)[0])
        convex = smooth * float(rng.uniform(0.001, 0.9))
        radius = float(rng.choice([math.inf, 0.3, 5.0]))
        lipschitz = float(size(rng, -2, 1, 1)[0])
        setting = NoisySGD(n, batch, smooth, convex, lipschitz, radius=radius)
        target, learn = "stationary", None
        if rng.random() < 0.6:
            target, learn = str(rng.choice(["T", "T+K"])), int(rng.integers(1, 6))
        options = {"learn_epochs": learn, "target": target}
        if target == "T" and math.isinf(radius):
            options["target"] = "T+K"
        epsilon, delta = float(size(rng, -2, 1, 1)[0]), float(size(rng, -9, -1, 1)[0])
        yield setting, int(rng.integers(1, 5)), epsilon, delta, options


def least_sigma(rng):
    for setting, epochs, epsilon, delta, options in settings(rng):
        sigma = accounting.least_sigma(setting, epsilon, delta, epochs, **options)
        yield accounting.epsilon_unlearning(setting, sigma, delta, epochs, **options) <= epsilon
        mu = accounting.mu_unlearning(setting, sigma, epochs, **options)
        yield accounting.delta_gdp(mu, epsilon) <= delta
        sigma = accounting.least_sigma(
            setting, epsilon, delta, epochs, position="random", **options
        )
        found = accounting.epsilon_random_position(setting, sigma, delta, epochs, **options)
        yield found <= epsilon
        found = accounting.delta_random_position(setting, sigma, epsilon, epochs, **options)
        yield found <= delta


def epsilon_unlearning(rng):
    for setting, epochs, epsilon, delta, options in settings(rng):
        found = accounting.epsilon_unlearning(setting, epsilon, delta, epochs, **options)
        mu = accounting.mu_unlearning(setting, epsilon, epochs, **options)
        yield accounting.delta_gdp(mu, found) <= delta


def random_position(rng):
    for setting, epochs, sigma, delta, options in settings(rng):
        found = accounting.epsilon_random_position(setting, sigma, delta, epochs, **options)
        yield accounting.delta_random_position(setting, sigma, found, epochs, **options) <= delta


def mixture(rng):
    for _ in range(FEW):
        mus, delta = size(rng, -3, 1, 5), float(deltas(rng, 1)[0])
        found = accounting.epsilon_mixture(mus, delta)
        yield accounting.log_delta_mixture(mus, found) <= math.log(delta)


def sigma_of_mixture(rng):
    for _ in range(FEW):
        mus, (epsilon, delta) = size(rng, -3, 1, 5), (size(rng, -3, 1, 1)[0], deltas(rng, 1)[0])
        sigma = accounting.sigma_mixture(mus, float(epsilon), float(delta))
        yield accounting.epsilon_mixture(mus / sigma, float(delta)) <= epsilon
        less = sigma * (1 - 1e-9)
        yield accounting.epsilon_mixture(mus / less, float(delta)) > epsilon


def unlearning_epochs(rng):
    for setting, _, epsilon, delta, options in settings(rng):
        sigma = accounting.least_sigma(setting, epsilon, delta, 2, **options) * (1 + 1e-9)
        found = accounting.least_unlearning_epochs(setting, sigma, epsilon, delta, **options)
        yield found <= 2
        if found:
            got = accounting.epsilon_unlearning(setting, sigma, delta, found, **options)
            yield got <= epsilon


def of_callables(rng):
    for _ in range(FEW):
        scale, target = size(rng, -2, 2, 2)
        sigma = accounting.least_noise(lambda s, a=scale: a / s, target)
        yield scale / sigma <= target


def epochs_of_callables(rng):
    for _ in range(FEW):
        scale, target = size(rng, -2, 2, 2)
        found = accounting.least_epochs(lambda k, a=scale: a / (k + 1), target)
        yield scale / (found + 1) <= target


def sequences(rng):
    for setting, _, epsilon, delta, _ in settings(rng):
        sigma = float(accounting.least_sigma(setting, epsilon, delta, 2))
        plan = accounting.sequence_epochs(setting, sigma, 6, epsilon, delta)
        yield accounting.sequence_verify(setting, sigma, plan, delta).meets(epsilon)


def forever(rng):
    for setting, _, epsilon, delta, _ in settings(rng):
        sigma = float(accounting.least_sigma(setting, epsilon, delta, 2))
        epochs = accounting.epochs_forever(setting, sigma, epsilon, delta)
        plan = np.full(50, epochs)
        yield accounting.sequence_verify(setting, sigma, plan, delta).meets(epsilon)


def schedules(rng):
    for _ in range(FEW):
        k = int(rng.integers(1, 6))
        times = np.sort(rng.integers(2, 40, k))
        mu = float(size(rng, -1, 1, 1)[0])
        diameter = float(rng.choice([math.inf, 1.0]))
        descent = OnlineDescent(mu, 3 * mu, mu, inverse_time(mu), diameter)
        epsilon, delta = float(size(rng, -2, 1, 1)[0]), float(size(rng, -9, -1, 1)[0])
        yield descent, DeletionSchedule(rng.integers(1, times), times), epsilon, delta


def deletion_noise(rng):
    for descent, schedule, epsilon, delta in schedules(rng):
        rho = float(accounting.rho_gaussian(epsilon, delta))
        sigma = accounting.least_deletion_noise(descent, schedule, rho)
        mu = accounting.deletion_mus(descent, schedule, sigma).max()
        yield mu <= math.sqrt(2 * rho)
        yield accounting.epsilon_gdp(mu, delta) <= epsilon


def deletion_accountant(rng):
    for descent, schedule, epsilon, delta in schedules(rng):
        rho = float(accounting.rho_gaussian(epsilon, delta))
        served = DeletionAccountant(descent, rho)
        pairs = zip(schedule.indices.tolist(), schedule.times.tolist(), strict=True)
        sigma = [served.delete(index, time) for index, time in pairs]
        mu = accounting.deletion_mus(descent, schedule, sigma).max()
        yield mu <= math.sqrt(2 * rho)
        yield accounting.epsilon_gdp(mu, delta) <= epsilon


def logarithmic_noise(function):
    def pair(rng):
        for descent, schedule, rho, _ in schedules(rng):
            if math.isfinite(descent.diameter):
                continue
            moved = accounting.transport(descent, schedule)
            given = [moved.log_shifts, rho]
            if function is accounting.minimal_noise:
                given.insert(1, moved.log_factors)
            mu = accounting.deletion_mus(descent, schedule, function(*given)).max()
            yield mu <= math.sqrt(2 * rho)

    return pair


def publication_noise(rng):
    errors, epsilon, delta = size(rng, -6, 6), size(rng, -2, 1), deltas(rng)
    for e, d in zip(epsilon[:FEW].tolist(), delta[:FEW].tolist(), strict=True):
        sigma = accounting.publication_noise(errors, e, d)
        yield accounting.publication_epsilon(errors, sigma, d) <= e
        yield accounting.publication_mus(errors, sigma) <= accounting.mu_gdp(e, d)
        few = errors[: int(e * 10) + 1]
        sigma = accounting.publication_noise(few, e, d, releases=few.size)
        yield accounting.publication_epsilon(few, sigma, d, joint=True) <= e
        yield accounting.joint_mu(few, sigma) <= accounting.mu_gdp(e, d)


def publication_epsilon(rng):
    errors, sigma, delta = size(rng, -3, 3), size(rng, -3, 3), 1e-5
    found = accounting.publication_epsilon(errors, sigma, delta)
    yield accounting.delta_gdp(accounting.publication_mus(errors, sigma), found) <= delta


def tracking_steps(rng):
    for _ in range(FEW):
        path, e, d = size(rng, -3, 0, 5), float(size(rng, -1, 1, 1)[0]), 1e-6
        sigma = size(rng, -3, 0, 5)
        steps = accounting.least_tracking_steps(path, 0.7, sigma, e, d)
        errors = accounting.tracking_errors(path, 0.7, int(steps))
        yield accounting.publication_noise(errors, e, d) <= sigma
        yield accounting.publication_epsilon(errors, sigma, d) <= e


def allocation(rng):
    for _ in range(FEW):
        c, shift, noise = rng.uniform(0.5, 1.1, 6), rng.random(6), rng.uniform(0.1, 1, 6)
        found = accounting.pabi_allocation(c, shift, noise)
        yield found.mu == accounting.pabi_mu(c, shift, noise)


def best_step(rng):
    for mu, ratio in zip(size(rng, -3, 3, FEW), rng.uniform(1, 100, FEW), strict=True):
        step = accounting.best_step(mu, mu * ratio)
        yield (
            accounting.gradient_contraction(step, mu, mu * ratio)
            <= (ratio - 1) / (ratio + 1) + 1e-14
        )


def curve_epsilon(rng):
    for rho, delta in zip(size(rng, -3, 1, SLOW), deltas(rng, SLOW), strict=True):
        found = accounting.to_epsilon(RenyiCurve.linear(rho), delta, "optimal")
        yield accounting.delta_optimal(rho, found) <= delta


INVERSES = {
    "DeletionAccountant": deletion_accountant,
    "allocated_noise": logarithmic_noise(accounting.allocated_noise),
    "best_step": best_step,
    "epochs_forever": forever,
    "epsilon_gaussian": epsilon_of_gaussian,
    "epsilon_gdp": gaussian_epsilon,
    "epsilon_mixture": mixture,
    "epsilon_optimal": optimal_epsilon,
    "epsilon_random_position": random_position,
    "epsilon_unlearning": epsilon_unlearning,
    "least_deletion_noise": deletion_noise,
    "least_epochs": epochs_of_callables,
    "least_noise": of_callables,
    "least_sigma": least_sigma,
    "least_tracking_steps": tracking_steps,
    "least_unlearning_epochs": unlearning_epochs,
    "minimal_noise": logarithmic_noise(accounting.minimal_noise),
    "mu_gdp": gaussian_mu,
    "pabi_allocation": allocation,
    "publication_epsilon": publication_epsilon,
    "publication_noise": publication_noise,
    "rho_cks": linear_rho("cks"),
    "rho_gaussian": linear_rho("gaussian"),
    "rho_mironov": linear_rho("mironov"),
    "rho_optimal": optimal_rho,
    "rho_weak_triangle": linear_rho("weak_triangle"),
    "sequence_epochs": sequences,
    "sigma_mixture": sigma_of_mixture,
    "to_epsilon": curve_epsilon,
}
FORWARD = {
    "ACCOUNTANTS",
    "Allocation",
    "DeletionSchedule",
    "NoisyContraction",
    "NoisySGD",
    "OnlineDescent",
    "RenyiCurve",
    "SequencePrivacy",
    "TARGETS",
    "Transport",
    "chain_gdp",
    "compose",
    "compose_gdp",
    "deletion_mus",
    "delta_gdp",
    "delta_optimal",
    "delta_random_position",
    "distance_learning",
    "epsilon_cks",
    "epsilon_mironov",
    "epsilon_weak_triangle",
    "geometric_sum",
    "gradient_contraction",
    "group",
    "group_factor",
    "inverse_root",
    "inverse_time",
    "joint_mu",
    "log_delta_gdp",
    "log_delta_mixture",
    "log_delta_optimal",
    "mu_batch",
    "mu_convex_stationary",
    "mu_convex_target_t_plus_k",
    "mu_same_updates",
    "mu_sequence",
    "mu_stationary",
    "mu_stationary_bounded",
    "mu_target_t",
    "mu_target_t_plus_k",
    "mu_unlearning",
    "pabi_mu",
    "path_bounds",
    "position_mus",
    "publication_mus",
    "renyi_gdp",
    "schedule",
    "sequence_distances",
    "sequence_verify",
    "tracking_errors",
    "tradeoff_gdp",
    "transport",
    "weak_triangle",
    "SampledSGD",
    "least_unlearning_steps",
    "sampled_epsilon",
    "sampled_noise",  # of their own test
}


@pytest.mark.parametrize("seed", [0, 1], ids=["first", "second"])
@pytest.mark.parametrize("inverse", INVERSES)
def test_the_forward_function_certifies_it(inverse, seed, full):
    if seed and not full:
        pytest.skip("other numbers of the same ranges are tried where the profile is full")
    rng = np.random.default_rng([seed, *inverse.encode()])
    for part, holds in enumerate(INVERSES[inverse](rng)):
        wrong = np.flatnonzero(~np.asarray(holds))
        assert wrong.size == 0, f"part {part}: {wrong.size} of {np.size(holds)} fail"


def test_no_public_inverse_without_its_pair():
    assert not FORWARD & set(INVERSES)
    assert FORWARD | set(INVERSES) == set(accounting.__all__)
