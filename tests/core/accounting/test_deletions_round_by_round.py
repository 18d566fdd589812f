"""Deletions against the same process as a noisy contraction, one step for every round and noise."""

import math

import numpy as np
import pytest

from accounting import (
    DeletionAccountant,
    DeletionSchedule,
    NoisyContraction,
    OnlineDescent,
    deletion_mus,
    inverse_time,
    least_deletion_noise,
    mu_gdp,
)
from accounting.deletions.privacy import Events
from accounting.deletions.schedule import noise_rounds, shift_rounds
from tests.exact_chain import exact_mu_bounded

LAST = 24
STEPS = [1e-3, 0.125, 0.5, 1.0, 1.5, 3.0, 1e3]
CURVATURES = [(0.0, 1.0), (0.25, 1.0), (1.0, 1.0), (0.5, 8.0)]
DIAMETERS = [1e-100, 0.1, 1.0, 4.0, 1e6, math.inf]
NOISES = [0.0, 1e-9, 0.3, 1.0, 2.0, 50.0]


def process(seed):
    """A learner with expanding and annihilating steps, mostly on a bounded domain, and requests."""
    rng = np.random.default_rng(seed)
    convention = rng.choice(["A", "B", "C"])
    times = np.sort(rng.integers(2, LAST + 1, rng.integers(1, 7)))
    indices = rng.integers(1, times + (convention == "A"))
    mu, beta = CURVATURES[rng.integers(len(CURVATURES))]
    diameter = rng.choice(DIAMETERS)
    reach = mu * diameter if math.isfinite(diameter) else 0.0
    lipschitz = rng.choice([1.0, 2.0, 30.0]) * max(1.0, reach)
    descent = OnlineDescent(mu, beta, lipschitz, rng.choice(STEPS, LAST + 2), diameter)
    return descent, DeletionSchedule(indices, times, str(convention)), rng


def round_by_round(descent, schedule, sigma, i):
    """Request i as a noisy contraction: a step for every round, and one for every noise."""
    shift_at, noise_at = shift_rounds(schedule)[: i + 1], noise_rounds(schedule)[: i + 1]
    shifted = set(shift_at.tolist())
    contraction, shift, noise = [], [], []
    for t in range(1, int(noise_at[-1]) + 1):
        contraction.append(float(descent.contraction(t)))
        shift.append(float(descent.steps(t)) * descent.lipschitz if t in shifted else 0.0)
        noise.append(0.0)
        for j in np.flatnonzero(noise_at == t).tolist():
            contraction.append(1.0)
            shift.append(0.0)
            noise.append(sigma[j])
    return NoisyContraction(contraction, shift, noise, diameter=descent.diameter)


def test_the_deletion_accountant_is_the_noisy_contraction(full):
    for seed in range(10_000 if full else 200):
        descent, schedule, rng = process(seed)
        sigma = rng.choice(NOISES, len(schedule))
        found = deletion_mus(descent, schedule, sigma)
        expected = [round_by_round(descent, schedule, sigma, i).mu for i in range(len(schedule))]
        assert found == pytest.approx(expected, rel=1e-11, abs=0), seed
        worst = Events(descent, schedule).worst(sigma)
        assert worst == pytest.approx(max(expected), rel=1e-11, abs=0), seed


@pytest.mark.parametrize("seed", [3, 8, 3605, 3807, 7135])
def test_both_are_a_little_above_the_value_with_60_digits(seed):
    """Of 10,000 processes the last three are those where the two differ by more than 1e-13."""
    descent, schedule, rng = process(seed)
    sigma = rng.choice(NOISES, len(schedule))
    for i, mu in enumerate(deletion_mus(descent, schedule, sigma).tolist()):
        chain = round_by_round(descent, schedule, sigma, i)
        steps = chain.contraction, chain.shift, chain.noise
        exact = exact_mu_bounded(*steps, 0.0, chain.diameter)
        assert exact <= mu <= exact * (1 + 1e-12)
        assert exact <= chain.mu <= exact * (1 + 4e-12)


def test_each_request_has_the_least_noise_given_the_ones_before(full):
    """It certifies by the noisy contraction, and a little less at its own place does not."""
    for seed in range(3_000 if full else 25):
        descent, schedule, _ = process(seed)
        sigma = least_deletion_noise(descent, schedule, 0.5)
        if math.isfinite(descent.diameter):
            assert (sigma <= descent.diameter * (1 + 1e-9)).all(), seed
        for i, least in enumerate(sigma.tolist()):
            assert round_by_round(descent, schedule, sigma, i).mu <= 1 + 1e-12, seed
            less = sigma.copy()
            less[i] = 0.9 * least
            if round_by_round(descent, schedule, less, i).mu > 1 + 1e-6:  # or the others do it all
                less[i] = (1 - 1e-4) * least
                assert round_by_round(descent, schedule, less, i).mu > 1, seed
        online = DeletionAccountant(descent, 0.5, schedule.convention)
        served = zip(schedule.indices.tolist(), schedule.times.tolist(), strict=True)
        found = [online.delete(u, t) for u, t in served]
        # Where earlier noise does nearly all, the last digits of it are many of the next one's.
        assert found == pytest.approx(sigma.tolist(), rel=1e-3, abs=1e-9 * sigma.max()), seed


@pytest.mark.parametrize(("time", "shown"), [(20, 7.46), (200, 4.69), (2000, 0.467)])
def test_steps_that_expand_before_they_contract(time, shown):
    """mu = 1e-3, beta = 1/4, L = 1, D = 2: steps 1/(mu t) expand before round 125."""
    descent = OnlineDescent(1e-3, 0.25, 1.0, inverse_time(1e-3), 2.0)
    schedule = DeletionSchedule([1], [time])
    mu = float(mu_gdp(1.0, 1e-5))
    found = least_deletion_noise(descent, schedule, mu**2 / 2)
    left = 2.0 * math.prod(max(1 - 1 / t, 250 / t - 1) for t in range(125, time))
    assert found == pytest.approx([left / mu], rel=1e-10)
    assert found == pytest.approx([shown], rel=1e-3)
    assert round_by_round(descent, schedule, found, 0).mu == pytest.approx(mu, rel=1e-10)


def test_distances_that_no_float_holds():
    """Without the domain the shift would have grown to e^3000."""
    descent = OnlineDescent(1e-3, 5.0, 1.0, inverse_time(1e-3), 2.0)
    schedule = DeletionSchedule([1, 3], [1500, 4000])
    sigma = least_deletion_noise(descent, schedule, 0.5)
    assert sigma == pytest.approx([2.0, 0.0], rel=1e-9)
    for i in range(2):
        assert round_by_round(descent, schedule, sigma, i).mu <= 1 + 1e-12
