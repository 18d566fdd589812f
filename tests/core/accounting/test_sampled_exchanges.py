"""Batches of fixed size and shuffled ones: an exchanged row, and a policy over epochs."""

import itertools
import math

import hypothesis.strategies as st
import mpmath
import numpy as np
import pytest
from hypothesis import given
from scipy.special import ndtr, ndtri

from accounting import SampledSGD, delta_gdp, pabi_mu, sampled_epsilon
from accounting.curves.discrete_sums import Term, times
from accounting.curves.gaussian_mixtures import epsilon, solve
from accounting.sampled import _payments
from accounting.sampled._arrivals import arrivals
from accounting.sampled._exchanged_row import Additive, ByPolicy, least_epsilon
from accounting.sampled._inclusions import inclusions
from accounting.sampled._joint import _sum
from accounting.sampled._largest_batch import Accounts
from accounting.sampled._policies import Spent, convex_delta, convex_power, spent
from tests.examples import examples
from tools.sampled_laws import apart, gradients, maps

EXAMPLE = {
    "batch_size": 64,
    "steps": 180,
    "step_size": 0.5,
    "smoothness": 0.25,
    "ridge": 0.05,
}
GAPS = {
    "fixed replace": ("fixed", "replace", 569, "mixture", {10: 0.066, 20: 0.03}),
    "shuffled replace": ("shuffled", "replace", 640, "patterns", {10: 0.02, 50: 0.015}),
    "shuffled masked": ("shuffled", "zero-out", 640, "patterns", {10: 0.02, 50: 0.015}),
}


def example(sampling, adjacency, n, after, **changes):
    return SampledSGD(
        n=n,
        unlearning_steps=after,
        sampling=sampling,
        adjacency=adjacency,
        **{**EXAMPLE, **changes},
    )


@pytest.mark.parametrize("case", GAPS)
def test_little_lies_between_the_bound_and_linear_losses(case):
    sampling, adjacency, n, accountant, gaps = GAPS[case]
    for after, gap in gaps.items():
        setting = example(sampling, adjacency, n, after)
        lower = sampled_epsilon(setting, 1.0, 1e-5, "lower")
        upper = sampled_epsilon(setting, 1.0, 1e-5, accountant)
        assert lower <= upper <= lower * (1 + gap)
        assert sampled_epsilon(setting, 1.0, 1e-5) <= upper


@examples(40, full=400)
@given(data=st.data())
def test_no_levels_that_fall_with_the_pattern_gain_more_than_the_surplus(data):
    """The lemma in 50 digits: any levels of their own for the patterns, with the same mean."""
    size = data.draw(st.integers(1, 4))
    chance = data.draw(st.lists(st.floats(0.05, 0.95), min_size=size, max_size=size))
    paid = data.draw(st.lists(st.floats(0.05, 3), min_size=size, max_size=size))
    levels = st.just(0.0) | st.floats(1e-30, 0.999)
    level = data.draw(st.lists(levels, min_size=2**size, max_size=2**size))
    patterns = list(itertools.product((0, 1), repeat=size))
    with mpmath.workdps(50):
        exact = [mpmath.mpf(q) for q in chance]
        p = [
            mpmath.fprod(q if b else 1 - q for q, b in zip(exact, one, strict=True))
            for one in patterns
        ]
        mu = [mpmath.fdot(paid, one) for one in patterns]
        # No pattern has more than those of fewer inclusions; and a mean of at most 1/2.
        least = [
            min(
                h
                for h, other in zip(level, patterns, strict=True)
                if np.less_equal(other, one).all()
            )
            for one in patterns
        ]
        scale = data.draw(st.floats(1e-6, 1)) * 0.5 / max(mpmath.fdot(p, least), mpmath.mpf(0.5))
        h = [mpmath.mpf(x) * scale for x in least]
        z = quantile(mpmath.fdot(p, h))
        if z is None:
            return
        z_each = [quantile(x) for x in h]
        powers = [0 if x is None else mpmath.ncdf(x + m) for x, m in zip(z_each, mu, strict=True)]
        power = mpmath.fdot(p, powers)
        surplus = mpmath.fdot(p, [1 - mpmath.exp(-((max(m + z, 0)) ** 2) / 2) for m in mu])
        common = mpmath.fdot(p, [mpmath.ncdf(z + m) for m in mu])
        most = common + surplus * mpmath.ncdf(z) * mpmath.exp(z**2 / 2)
        assert power <= most * (1 + mpmath.mpf(10) ** -40)
    law = Additive(
        Term(np.array([[x] for x in paid]), np.array([[q] for q in chance]), 1 - np.array(chance))
    )
    w = float(surplus * mpmath.ncdf(z) * mpmath.exp(z**2 / 2))
    assert law.surplus(-float(z)) >= w * (1 - 1e-12)
    assert math.exp(law.log_at(float(z))) == pytest.approx(float(common), rel=1e-9)


@pytest.mark.parametrize(
    ("paid", "chance", "delta"), [(2.0, 0.3, 0.1), (1.5, 0.5, 0.2), (2.0, 0.3, 1e-3)]
)
def test_the_surplus_and_the_levels_beyond_are_counted(paid, chance, delta):
    """Two inclusions: gamma of the lemma with w itself, at the best of many M."""
    law = Term(np.full((2, 1), paid), np.full((2, 1), chance), np.full(2, 1 - chance))
    p, mu = np.array([(1 - chance) ** 2, 2 * chance * (1 - chance), chance**2]), paid * np.arange(3)
    z = np.linspace(-12, 0, 4801)
    level = ndtr(z)
    surplus = level * np.exp(z**2 / 2) * (-np.expm1(-(np.maximum(mu + z[:, None], 0) ** 2) / 2) @ p)
    power = ndtr(z[:, None] + mu) @ p
    first = np.maximum.accumulate((power - delta) / level)
    # Up to -M with w(-M) for all of them, which is no less than w(z).
    needed = [
        max(float(((power[: k + 1] + surplus[k] - delta) / level[: k + 1]).max()), beyond)
        for k, beyond in enumerate(((power + surplus) / level).tolist())
    ]
    assert min(needed) >= float(first[-1])
    answer = math.exp(least_epsilon(delta, Additive(law)))
    assert answer >= min(needed) * (1 - 1e-3)
    if delta < 0.01:
        assert answer <= min(needed) * 1.01


def quantile(level):
    """The normal quantile; None at 0."""
    if level <= 0:
        return None
    start = float(ndtri(float(level)))
    return mpmath.findroot(lambda x: mpmath.log(mpmath.ncdf(x)) - mpmath.log(level), start)


@st.composite
def shuffled(draw, adjacency):
    """A few epochs of two or three batches."""
    places = draw(st.integers(2, 3))
    steps = draw(st.integers(places, 4))
    after = draw(st.integers(0, 2))
    profile = draw(st.lists(st.floats(0.7, 1.4), min_size=steps + after, max_size=steps + after))
    return SampledSGD(
        n=2 * places,
        batch_size=2,
        steps=steps,
        unlearning_steps=after,
        step_size=0.8,
        smoothness=0.0,
        ridge=draw(st.floats(0, 1)),
        noise_profile=profile,
        sampling="shuffled",
        adjacency=adjacency,
    )


def placements(setting):
    """Chance and least mu of every choice of places, sigma = 1, in units of eta C/B."""
    each, steps = setting.epoch, setting.steps
    epochs = [range(first, first + each) for first in range(0, steps, each)]
    moving = setting.adjacency == "delete"
    for choice in itertools.product(*epochs):
        shift = np.zeros(setting.length)
        for place, epoch in zip(choice, epochs, strict=True):
            early = moving and place < epoch[-1]
            for k, moved in ((place, 2.0 if early else 1.0), (epoch[-1], 1.0 if early else 0.0)):
                # An epoch that is cut off has neither a later place nor its last batch.
                shift[k if k < steps else 0] += moved * (k < steps)
        unit = setting.eta / setting.batch_size
        contraction = np.abs(1 - setting.eta * setting.ridge)
        yield each ** -len(epochs), pabi_mu(contraction, shift * unit, unit * setting.profile)


@examples(12, full=100)
@given(
    setting=st.sampled_from(["zero-out", "delete"]).flatmap(shuffled),
    sigma=st.floats(0.6, 3),
    power=st.floats(-8, -0.7),
)
def test_no_bound_over_epochs_is_below_the_average_over_all_places(setting, sigma, power):
    delta = 10.0**power
    chances, mus = np.array(list(placements(setting))).T
    accounts = Accounts(setting, delta)
    blocks = inclusions(setting, accounts.steps, 1.0)
    answer = accounts.patterns(sigma)
    assert chances @ delta_gdp(mus / sigma, answer) <= delta * (1 + 1e-9)
    law = (Term(mus[None] / sigma, chances[None], np.zeros(1)),)
    away = epsilon(law, None, delta, up=False) * (1 - 1e-9)
    back = epsilon(None, times(law, -1), delta, up=False) * (1 - 1e-9)
    for eagerness in (0.1, 2.0):
        costs = spent(blocks, eagerness, 0.05 * sigma)
        assert costs.epsilon(sigma, delta) >= away
        assert costs.mean >= chances @ mus**2 * (1 - 1e-12)
        # For every convex function, on a coarse lattice too.
        for at in (0.1, 1.0, 10.0):
            spread = convex_delta(at, costs.cost) @ costs.chance
            assert spread >= chances @ delta_gdp(mus, at) * (1 - 1e-9)
        surplus = (
            chances @ np.maximum(mus / sigma - 0.5, 0.0) ** 2 / 2 * ndtr(-0.5) * math.exp(0.125)
        )
        assert ByPolicy(costs, sigma).surplus(0.5) >= surplus * (1 - 1e-9)
    if setting.adjacency == "delete":
        assert accounts.mixture(sigma) >= max(away, back)


@pytest.mark.parametrize("narrow", ["costs", "debts"])
@pytest.mark.parametrize("adjacency", ["zero-out", "delete"])
def test_what_leaves_the_lattice_pays_the_worst(monkeypatch, adjacency, narrow):
    """On a lattice that holds a part of what is due, or of what it costs, all is still counted."""
    if narrow == "costs":
        monkeypatch.setattr(_payments, "_MOST_COSTS", 3)
    else:
        # A single stretch, in which all but the first arrivals come after its payment.
        monkeypatch.setattr(_payments, "_STRETCHES", 1)
        monkeypatch.setattr(_payments._Plan, "top", lambda plan: float(plan.blocks.shift.max()) / 2)
    setting = example("shuffled", adjacency, 6, 1, batch_size=2, steps=6, ridge=0.6)
    chances, mus = np.array(list(placements(setting))).T
    costs = spent(inclusions(setting, Accounts(setting, 1e-5).steps, 1.0), 1.0, 0.05)
    assert costs.lost == 0 < costs.chance[-2:].sum()
    assert costs.mean >= chances @ mus**2
    for at in (0.1, 1.0, 10.0):
        assert convex_delta(at, costs.cost) @ costs.chance >= chances @ delta_gdp(mus, at)


@examples(30, full=200)
@given(data=st.data())
def test_a_sum_of_costs_keeps_the_mean_and_no_convex_function_falls(data):
    def law():
        size = data.draw(st.integers(2, 6))
        chance = np.array(data.draw(st.lists(st.floats(0, 1), min_size=size, max_size=size)))
        chance = np.append(chance + 1e-3, 1e-4 * data.draw(st.floats(0, 1)))
        cost = (data.draw(st.floats(0.05, 2)) * np.arange(size)) ** 2
        return Spent(np.append(cost, 1e6), chance / chance.sum(), 0.0, size)

    first, second = law(), law()
    total = _sum(first, second, data.draw(st.sampled_from([1e-12, 0.1])))
    assert total.mean == pytest.approx(first.mean + second.mean, rel=1e-9)
    cost = (first.cost[:, None] + second.cost).ravel()
    chance = (first.chance[:, None] * second.chance).ravel()
    z = np.array([-6.0, -3.0, -1.0])
    exact = convex_power(z, cost) @ chance
    assert (convex_power(z, total.cost) @ total.chance >= exact * (1 - 1e-9)).all()


@pytest.mark.parametrize("adjacency", ["zero-out", "delete"])
def test_places_are_drawn_in_turn(adjacency):
    """Chances along the phases are those of the places, and shifts add up to those of the block."""
    setting = example("shuffled", adjacency, 600, 0, batch_size=250, steps=8, ridge=0.3)
    blocks = Accounts(setting, 1e-5).blocks
    if adjacency == "zero-out":
        blocks = inclusions(setting, Accounts(setting, 1e-5).steps, 1.0)
    steps, pending = arrivals(blocks), 1.0
    assert len(steps) == 8  # the third epoch is cut off
    for k, step in enumerate(steps):
        e, i = divmod(k, 3)
        own, none, later = step
        assert pending * own.chance == pytest.approx(blocks.chance[e, i])
        assert own.chance + none.chance == 1 == later.chance
        whole = own.shift + (float(blocks.late[e]) if adjacency == "delete" and i < 2 else 0.0)
        assert whole == pytest.approx(blocks.shift[e, i])
        assert {own.then, later.then} == ({0} if i == 2 else {1})
        assert none.shift == 0
        pending = 1.0 if i == 2 else pending * none.chance
    assert blocks.late[-1] == 0


def exchanged_laws(rng, setting, sigma):
    """Densities of both runs on a grid: batches of one row, all others alike, any maps."""
    row, other = gradients(rng), gradients(rng)
    opposite = gradients(rng) if rng.random() < 0.5 else lambda x: -row(x)
    grid = np.linspace(-14, 14, 401)
    width = float(grid[1] - grid[0])
    # By run, and by whether the row has been in the epoch.
    laws = np.zeros((2, 2, grid.size))
    laws[:, 0, grid.size // 2] = 1.0
    for k in range(setting.length):
        eta, s = float(setting.eta[k]), float(setting.eta[k]) * sigma
        place = (1 - eta * setting.ridge) * maps(rng, monotone=False)(grid)

        def moved(law, gradient, place=place, eta=eta, s=s):
            kernel = np.exp(-(((grid - (place + eta * gradient(grid))[:, None]) / s) ** 2) / 2)
            return law @ kernel * width / s / math.sqrt(2 * math.pi)

        chance = 1 / setting.n
        if setting.sampling == "shuffled":
            chance = 1 / (setting.n - k % setting.n)
        # After training both runs have the second row.
        rows = (row, opposite) if k < setting.steps else (opposite, opposite)
        laws = np.array(
            [
                [
                    moved((1 - chance) * pending, other),
                    moved(chance * pending, gradient) + moved(done, other),
                ]
                for (pending, done), gradient in zip(laws, rows, strict=True)
            ]
        )
        if setting.sampling == "fixed" or (k + 1) % setting.n == 0:
            laws = np.stack((laws.sum(axis=1), np.zeros((2, grid.size))), axis=1)
    return laws.sum(axis=1)


@pytest.mark.parametrize("sampling", ["fixed", "shuffled"])
def test_no_maps_tell_an_exchanged_row_better_than_is_certified(sampling, full):
    for number in range(16 if full else 8):
        rng = np.random.default_rng(number)
        setting = SampledSGD(
            n=int(rng.integers(2, 6)),
            batch_size=1,
            steps=int(rng.integers(1, 6)),
            unlearning_steps=int(rng.integers(0, 3)),
            step_size=float(rng.uniform(0.4, 1.2)),
            smoothness=0.0,
            ridge=float(rng.uniform(0, 0.8)),
            sampling=sampling,
            adjacency="replace",
        )
        sigma, delta = rng.uniform(1, 2), 10 ** rng.uniform(-3, -0.7)
        first, second = exchanged_laws(rng, setting, sigma)
        gamma = math.exp(sampled_epsilon(setting, sigma, delta))
        for p, q in ((first, second), (second, first)):
            assert np.maximum(p - gamma * q, 0).sum() <= delta * (1 + 3e-3)


def orders(steps, factor, late):
    """Means of linear losses of three rows, or four, in batches of two, all orders of an epoch.

    The others have the gradient -1, but `late` in the last batch of an epoch; the row has 1.
    """
    runs = []
    for rows in ((True, False, False, False), (False, False, False)):
        means = {0.0: 1.0}
        for _ in range(steps // 2):
            new: dict[float, float] = {}
            ways = list(itertools.permutations(rows))
            for (at, p), way in itertools.product(means.items(), ways):
                first = sum(1.0 if row else -1.0 for row in way[:2])
                second = sum(1.0 if row else late for row in way[2:])
                mean = round(factor * (factor * at + first) + second, 9)
                new[mean] = new.get(mean, 0.0) + p / len(ways)
            means = new
        runs.append(np.array(list(means.items())).T)
    return runs


def test_losses_that_depend_on_the_step_need_what_a_shuffled_deletion_is_certified_for():
    """Two in the batch of the row, one in the last: what allows them can leave out neither."""
    setting = SampledSGD(
        n=4,
        batch_size=2,
        steps=4,
        unlearning_steps=0,
        step_size=0.5,
        smoothness=0.0,
        ridge=0.4,
        sampling="shuffled",
        adjacency="delete",
    )
    deviation = 2.0 * math.sqrt(sum(0.8 ** (2 * k) for k in range(4)))
    straight = (Accounts(setting, 1e-3).blocks.linear.times(1 / 2.0),)
    needed = epsilon(straight, None, 1e-3, up=False)
    laws = orders(4, 0.8, late=1.0)
    assert apart(laws, deviation, needed) == pytest.approx(1e-3, rel=1e-6)
    found = sampled_epsilon(setting, 2.0, 1e-3, "mixture")
    assert needed <= found <= needed * 1.2
    assert apart(laws, deviation, found) <= 1e-3
    # Where they do not depend on the step they tell less.
    assert sampled_epsilon(setting, 2.0, 1e-3, "lower") < needed
    assert apart(orders(4, 0.8, late=-1.0), deviation, needed) < 1e-3


def test_the_documents_example_is_certified_up_to_such_losses():
    for after, gap in ((10, 0.02), (50, 0.02)):
        accounts = Accounts(example("shuffled", "delete", 640, after), 1e-5)
        needed, _ = solve((accounts.blocks.linear,), None, 1e-5, up=False)
        assert needed <= accounts.mixture(1.0) <= needed * (1 + gap)
