"""Mixtures over batch patterns: tails and instances, by other precision and enumeration."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting import SampledSGD, pabi_mu, sampled_epsilon
from accounting.curves.discrete_sums import Contour, Term, saddle, times
from accounting.curves.gaussian_mixtures import epsilon
from accounting.sampled import _linear_losses
from accounting.sampled._arrivals import arrivals
from accounting.sampled._debts import DebtsAndCosts, Worst
from accounting.sampled._largest_batch import Accounts
from accounting.sampled._linear_losses import deepest
from accounting.sampled._policies import convex_power, spent
from tests.examples import examples

SMALL = {"n": 10, "batch_size": 1, "smoothness": 0.0}


@st.composite
def short(draw, adjacency="delete"):
    """A few steps with schedules: the maps are any that are |1 - eta lambda|-Lipschitz."""
    training, unlearning = draw(st.integers(1, 6)), draw(st.integers(0, 3))
    total = training + unlearning

    def schedule(low, high):
        values = st.lists(st.floats(low, high), min_size=total, max_size=total)
        return np.array(draw(values))

    return SampledSGD(
        steps=training,
        unlearning_steps=unlearning,
        step_size=schedule(0.4, 1.6),
        ridge=draw(st.floats(0, 1)),
        noise_profile=schedule(0.7, 1.4),
        rate=schedule(0.02, 0.98),
        adjacency=adjacency,
        **SMALL,
    )


def all_patterns(setting):
    """Chance and least mu of every pattern, sigma = 1."""
    rates = setting.rates[: setting.steps]
    for pattern in itertools.product((0, 1), repeat=setting.steps):
        included = np.array(pattern)
        shift = np.zeros(setting.length)
        shift[: setting.steps] = included * setting.eta[: setting.steps]
        chance = np.prod(np.where(included, rates, 1 - rates))
        noise = setting.eta * setting.profile
        yield chance, pabi_mu(np.abs(1 - setting.eta * setting.ridge), shift, noise)


@examples(6, full=12)
@given(setting=short(), sigma=st.floats(0.6, 3), power=st.floats(-8, -0.7))
def test_no_bound_by_patterns_is_below_the_average_over_all(setting, sigma, power):
    delta = 10.0**power
    chances, mus = np.array(list(all_patterns(setting))).T
    law = (Term(mus[None, :] / sigma, chances[None, :], np.zeros(1)),)
    away = epsilon(law, None, delta, up=False) * (1 - 1e-9)
    back = epsilon(None, times(law, -1), delta, up=False) * (1 - 1e-9)
    made = Accounts(setting, delta)
    additive = (made.blocks.additive.times(1 / sigma),)
    assert epsilon(additive, None, delta) >= away
    assert epsilon(None, times(additive, -1), delta) >= back
    for eagerness in (0.1, 2.0):
        assert spent(made.blocks.outcomes, eagerness, 0.05 * sigma).epsilon(sigma, delta) >= away
    # What the last iterate tells may be less than any of these.
    assert made.lower(sigma) <= made.mixture(sigma) <= max(away, back) * 1.5 + 0.5


def instance_epsilon(chances, means, deviation, delta, second=None):
    """Hockey-stick root of two Gaussian mixtures by mpmath; second None: N(0, deviation^2)."""
    with mpmath.workdps(40):
        means = [mpmath.mpf(float(m)) / mpmath.mpf(float(deviation)) for m in means]
        weights = [mpmath.mpf(float(p)) for p in chances]

        def both(z):
            a = sum(w * mpmath.ncdf(z + m) for w, m in zip(weights, means, strict=True))
            slope = sum(w * mpmath.npdf(z + m) for w, m in zip(weights, means, strict=True))
            r = slope / mpmath.npdf(z)
            return a - r * mpmath.ncdf(z), r

        low, high = mpmath.mpf(-20), mpmath.mpf(0)
        for _ in range(120):
            middle = (low + high) / 2
            low, high = (middle, high) if both(middle)[0] < delta else (low, middle)
        return float(mpmath.log(both(low)[1]))


@pytest.mark.parametrize("delta", [0.01, 1e-6, 1e-12])
def test_the_linear_instance_is_enclosed(delta):
    setting = SampledSGD(steps=6, unlearning_steps=2, step_size=1.0, ridge=0.2, rate=0.3, **SMALL)
    patterns = list(itertools.product((0, 1), repeat=6))
    decay = 0.8 ** np.arange(7, 1, -1)
    chances = [0.3 ** sum(b) * 0.7 ** (6 - sum(b)) for b in patterns]
    deviation = math.sqrt(sum(0.64**k for k in range(8)))
    exact = instance_epsilon(chances, [np.dot(b, decay) for b in patterns], deviation, delta)
    lower = sampled_epsilon(setting, 1.0, delta, "lower")
    assert exact * (1 - 1e-9) <= lower <= exact * (1 + 1e-13)
    made = Accounts(setting, delta)
    value = epsilon((made.blocks.linear,), None, delta)
    assert exact <= value * (1 + 1e-13) <= exact * (1 + 1e-9)


@examples(12, full=25)
@given(
    values=st.lists(st.floats(0.01, 2), min_size=1, max_size=6),
    chance=st.floats(0.01, 0.99),
    y=st.floats(-6, 30),
)
def test_tails_are_enclosed(values, chance, y):
    count = len(values)
    term = Term(np.array(values)[:, None], np.full((count, 1), chance), np.full(count, 1 - chance))
    best = saddle((term,), y)
    line = Contour((term,), max(best, 0.25))
    with mpmath.workdps(30):
        terms = {mpmath.mpf(0): mpmath.mpf(1)}
        for value in values:
            new: dict = {}
            for at, p in terms.items():
                for shift, q in ((0, 1 - mpmath.mpf(chance)), (value, mpmath.mpf(chance))):
                    new[at + shift] = new.get(at + shift, 0) + p * q
            terms = new
        tail = sum(p * mpmath.ncdf(at - y) for at, p in terms.items())
        density = sum(p * mpmath.npdf(y - at) for at, p in terms.items())
        for found, exact in zip(line.at(y), (tail, density), strict=True):
            scale = mpmath.exp(mpmath.mpf(found.log))
            assert (found.value - found.error) * scale <= exact
            assert exact <= (found.value + found.error) * scale
            assert found.error <= 1e-10 * found.value or best < 0.25


@given(z=st.floats(-20, 0), costs=st.lists(st.floats(0, 500), min_size=3, max_size=3))
def test_the_convex_power_is_convex_and_above(z, costs):
    low, middle, high = sorted(costs)
    c = np.array([low, middle, high])
    f = convex_power(np.array([z]), c)[0]
    from scipy.special import ndtr

    assert (f >= ndtr(z + np.sqrt(c)) * (1 - 1e-12)).all()
    if high > low:
        chord = f[0] + (f[2] - f[0]) * (middle - low) / (high - low)
        assert f[1] <= chord * (1 + 1e-9)


@pytest.mark.parametrize("room", [1.0, 0.2])
def test_steps_without_a_payment_move_a_law_one_by_one_as_together(room):
    """One small matrix for a stretch of steps is the product of what each of them does."""
    setting = SampledSGD(
        n=1000,
        batch_size=250,
        rate=0.25,
        steps=120,
        unlearning_steps=3,
        step_size=0.8,
        smoothness=0.25,
        ridge=0.04,
        rows=3,
    )
    steps = arrivals(Accounts(setting, 1e-5).blocks.outcomes)[:40]
    largest = max(each.shift for step in steps for each in step)
    levels = room * 40 * largest * np.linspace(0, 1, 60) ** 1.5
    costs, worst = np.linspace(0, 9, 200), Worst(2.0, 0.5)
    one, together = (DebtsAndCosts(levels, costs, 1, 0.0) for _ in range(2))
    for step in steps:
        one.arrived(step, worst)
    together.arrived_together(steps, worst)
    np.testing.assert_allclose(together.law, one.law, rtol=0, atol=1e-13)
    # Nothing is lost; what has left pays no less than one by one.
    left = [law.near + law.distant for law in (one, together)]
    assert left[1] == pytest.approx(left[0], rel=1e-9, abs=1e-13)
    assert (left[0] > 1e-3) == (room < 1)
    assert together.law.sum() + left[1] == pytest.approx(1.0, abs=1e-12)
    assert together.distant >= one.distant * (1 - 1e-12)


@pytest.mark.parametrize(("unlearning", "counted"), [(0, 1), (40, 20)])
def test_a_surplus_without_a_bound_for_the_last_step_asks_for_no_other(unlearning, counted):
    setting = SampledSGD(
        n=1437,
        batch_size=359,
        rate=0.25,
        steps=300,
        unlearning_steps=unlearning,
        step_size=1.0,
        smoothness=0.25,
        ridge=0.04,
        rows=14,
    )
    blocks, sigma, spare = Accounts(setting, 1e-5).blocks, 8.0, 1e-14
    lowest = deepest((blocks.additive.times(1 / sigma),), spare)
    made = []

    class Counted(_linear_losses._Steps):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            made.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_linear_losses, "_Steps", Counted)
        more = _linear_losses.surplus(blocks, sigma, lowest, spare, near=False)
    (steps,) = made
    assert math.isinf(more) == (unlearning == 0)
    assert (len(steps.bounded) <= counted) == (unlearning == 0)
    every = steps.excess(np.linspace(lowest, -lowest, 9), near=False)
    assert np.isinf(every).all() == np.isinf(every[-1]) == (unlearning == 0)
