"""Sampled batches: against enumeration of patterns, exact laws on a line, and other precision."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounting import (
    SampledSGD,
    epsilon_gdp,
    least_unlearning_steps,
    pabi_mu,
    sampled_epsilon,
    sampled_noise,
)
from accounting._causal import convex_power, spent
from accounting._mixtures import epsilon
from accounting._smoothed import Contour, Term, saddle, times
from accounting.sampled_privacy import Accounts

BASE = {"n": 569, "batch_size": 64, "steps": 180, "step_size": 0.5, "smoothness": 0.25,
        "ridge": 0.05}  # fmt: skip
SMALL = {"n": 10, "batch_size": 1, "smoothness": 0.0}


def example(after, **changes):
    return SampledSGD(unlearning_steps=after, **{**BASE, **changes})


@st.composite
def short(draw, adjacency="delete"):
    """A few steps with schedules: the maps are any that are |1 - eta lambda|-Lipschitz."""
    training, unlearning = draw(st.integers(1, 6)), draw(st.integers(0, 3))
    total = training + unlearning

    def schedule(low, high):
        values = st.lists(st.floats(low, high), min_size=total, max_size=total)
        return np.array(draw(values))

    return SampledSGD(
        steps=training, unlearning_steps=unlearning, step_size=schedule(0.4, 1.6),
        ridge=draw(st.floats(0, 1)), noise_profile=schedule(0.7, 1.4), rate=schedule(0.02, 0.98),
        adjacency=adjacency, **SMALL,
    )  # fmt: skip


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


@settings(max_examples=25)
@given(setting=short(), sigma=st.floats(0.6, 3), power=st.floats(-8, -0.7))
def test_no_bound_is_below_the_average_over_all_patterns(setting, sigma, power):
    delta = 10.0**power
    chances, mus = np.array(list(all_patterns(setting))).T
    law = (Term(mus[None, :] / sigma, chances[None, :], np.zeros(1)),)
    away = epsilon(law, None, delta, up=False) * (1 - 1e-9)
    back = epsilon(None, times(law, -1), delta, up=False) * (1 - 1e-9)
    made = Accounts(setting, delta)
    additive = (made.blocks.additive.times(1 / sigma),)
    assert epsilon(additive, None, delta) >= away
    assert epsilon(None, times(additive, -1), delta) >= back
    (atoms, lost), (chords, late) = made.violations, made.chords
    if delta > lost + late:
        whole = times((*chords, *atoms), 1 / sigma)
        assert epsilon(whole, None, delta - lost - late) >= away
    for eagerness in (0.1, 2.0):
        assert spent(made.blocks, eagerness, 0.05 * sigma).epsilon(sigma, delta) >= away
    assert made.mixture(sigma) >= max(away, back)
    assert made.lower(sigma) <= made.mixture(sigma)


MAPS = {
    "identity": lambda x: x,
    "fold": lambda x: np.abs(x - 0.3),
    "clip": lambda x: np.clip(x, -0.5, 0.8),
    "threshold": lambda x: np.sign(x) * np.maximum(np.abs(x) - 0.4, 0),
    "sine": lambda x: np.sin(x + 0.5),
}
RECORDS = {
    "constant": lambda x: np.ones_like(x),
    "sign": lambda x: np.sign(x - 0.2),
    "wave": lambda x: np.cos(3 * x),
}


def on_a_line(setting, sigma, choices, row, other):
    """Laws of the two runs on a grid, maps and gradients of the rows as named."""
    grid = np.linspace(-14, 14, 561)
    width = grid[1] - grid[0]
    first, second = np.zeros((2, grid.size))
    first[grid.size // 2] = second[grid.size // 2] = 1.0

    def moved(law, place, s):
        return law @ (np.exp(-(((grid - place[:, None]) / s) ** 2) / 2)) * width / s / 2.50662827463

    for k in range(setting.length):
        eta, q = setting.eta[k], setting.rates[k]
        s = eta * sigma * setting.profile[k]
        place = (1 - eta * setting.ridge) * MAPS[choices[k % len(choices)]](grid)
        # What both runs do while unlearning is a contraction with the row as well as without.
        rows = (row(grid), other(grid)) if k < setting.steps else [np.sign(other(0 * grid))] * 2
        first, second = (
            (1 - q) * moved(law, place, s) + q * moved(law, place + eta * r, s)
            for law, r in zip((first, second), rows, strict=True)
        )
    return first / width, second / width


def positive_part(d, width=0.05):
    """Integral of the positive part of the line through the values."""
    left, right = d[:-1], d[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.maximum(left, right) ** 2 / np.abs(left - right)
    crossing = np.where(left * right < 0, share, 0)
    both = np.where((left >= 0) & (right >= 0), left + right, 0)
    return float((crossing + both).sum() * width / 2)


@pytest.mark.parametrize("adjacency", ["delete", "add", "replace"])
@settings(max_examples=10)
@given(data=st.data(), sigma=st.floats(1.0, 2.0), power=st.floats(-3, -0.7))
def test_exact_laws_of_curved_maps_stay_within(adjacency, data, sigma, power):
    setting = data.draw(short(adjacency))
    delta = 10.0**power
    names = data.draw(st.lists(st.sampled_from(sorted(MAPS)), min_size=1, max_size=4))
    row = RECORDS[data.draw(st.sampled_from(sorted(RECORDS)))]
    nothing = np.zeros_like
    if adjacency == "delete":
        laws = on_a_line(setting, sigma, names, row, nothing)
    elif adjacency == "add":
        laws = on_a_line(setting, sigma, names, nothing, row)
    else:
        laws = on_a_line(setting, sigma, names, row, lambda x: -row(x))
    for accountant in ("mixture", "patterns"):
        gamma = math.exp(min(sampled_epsilon(setting, sigma, delta, accountant), 500.0))
        for p, q in (laws, laws[::-1]):
            assert positive_part(p - gamma * q) <= delta * (1 + 2e-3) + 1e-6


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


REFERENCE = {
    "no unlearning": (0, {}, 5.4555088350377), "five": (5, {}, 4.5733535440603),
    "ten": (10, {}, 3.8532953311274), "twenty": (20, {}, 2.7711228235965),
    "fifty": (50, {}, 1.1062478870151), "hundred": (100, {}, 0.26611743254326),
    "fixed size": (50, {"sampling": "fixed"}, 2.5478384359791),
    "six rows": (50, {"rows": 6}, 8.61677323176),
    "six rows, longer": (100, {"rows": 6}, 1.90035465358),
    "exchange at once": (0, {"adjacency": "replace"}, 9.7830956805217),
}  # fmt: skip


@pytest.mark.parametrize("name", REFERENCE)
def test_lower_bounds_of_the_example(name):
    steps, changes, value = REFERENCE[name]
    assert sampled_epsilon(example(steps, **changes), 1.0, 1e-5, "lower") == pytest.approx(
        value, rel=3e-12
    )


MIXTURES = {  # K -> what was certified before, and how far the new bound may be from it
    0: (10.71682, 6.84), 5: (6.4685, 4.93), 10: (4.2874, 4.06), 20: (3.0628, 2.7822),
    50: (1.12456, 1.10628), 100: (0.266427, 0.266119),
}  # fmt: skip


@pytest.mark.parametrize("steps", MIXTURES, ids=lambda steps: f"K-{steps}")
def test_the_gap_of_the_example_is_halved(steps):
    before, most = MIXTURES[steps]
    setting = example(steps)
    lower = sampled_epsilon(setting, 1.0, 1e-5, "lower")
    found = sampled_epsilon(setting, 1.0, 1e-5, "mixture")
    assert lower <= found <= most
    assert found - lower <= (before - lower) / 2


def test_tiny_delta():
    setting = example(50)
    assert sampled_epsilon(setting, 1.0, 1e-12, "lower") == pytest.approx(2.06710557289, rel=1e-11)
    assert sampled_epsilon(setting, 1.0, 1e-12, "mixture") == pytest.approx(2.0672, rel=1e-3)
    assert 0 < sampled_epsilon(setting, 1.0, 1e-200, "mixture") < 30


def test_training_is_never_beaten_by_exact():
    pytest.importorskip("dp_accounting")
    for steps, changes in ((0, {}), (0, {"adjacency": "replace"}), (50, {})):
        setting = example(steps, **changes)
        values = {n: sampled_epsilon(setting, 1.0, 1e-5, n) for n in ("exact", "training")}
        assert values["exact"] <= values["training"]
    assert sampled_epsilon(example(0), 1.0, 1e-5, "training") == pytest.approx(10.71682, rel=1e-5)
    assert Accounts(example(0, adjacency="replace"), 1e-5).exact(1.0)[1] == "training"


def test_schemes_with_one_pattern_are_the_contraction():
    full = example(3, n=64, sampling="full", steps=20)
    noise = 0.5 / 64 * 1.3
    mu = pabi_mu(0.975, [*[0.5 / 64] * 20, 0, 0, 0], noise)
    for accountant in ("mixture", "patterns", "exact"):
        assert sampled_epsilon(full, 1.3, 1e-5, accountant) == pytest.approx(
            float(epsilon_gdp(mu, 1e-5)), rel=1e-9
        )
    cyclic = example(3, n=64 * 4, sampling="cyclic", steps=20)
    for place in range(4):
        shift = np.zeros(23)
        shift[place:20:4] = 0.5 / 64
        at = float(epsilon_gdp(pabi_mu(0.975, shift, noise), 1e-5))
        assert sampled_epsilon(cyclic, 1.3, 1e-5) >= at * (1 - 1e-12)
    assert sampled_epsilon(cyclic, 1.3, 1e-5) == pytest.approx(at, rel=1e-9)


def test_shuffled_epochs():
    setting = example(100, n=640, sampling="shuffled")
    mixture = sampled_epsilon(setting, 1.0, 1e-5, "mixture")
    assert 0.73664608436317 <= mixture <= 0.7376
    exchanged = example(100, n=640, sampling="shuffled", adjacency="replace")
    assert math.isinf(sampled_epsilon(exchanged, 1.0, 1e-5, "mixture"))
    found = sampled_epsilon(exchanged, 1.0, 1e-5)
    assert sampled_epsilon(exchanged, 1.0, 1e-5, "lower") <= found <= 0.494


@pytest.mark.parametrize("reference", ["T", "stationary"])
def test_other_references_only_add_what_is_due(reference):
    near = example(50, reference=reference, diameter=1e-6)
    far = example(50, reference=reference, diameter=1.0)
    found = [sampled_epsilon(s, 1.0, 1e-5) for s in (near, far)]
    assert found[0] <= found[1]
    due = 0.975 ** (180 if reference == "T" else 230) / (
        math.sqrt(sum(0.975 ** (2 * k) for k in range(180 if reference == "T" else 230))) * 0.5 / 64
    )
    assert found[1] >= float(epsilon_gdp(due, 1e-5)) * (1 - 1e-9)
    assert sampled_epsilon(far, 1.0, 1e-5, "lower") == 0


def test_large_batches_are_owed():
    steep = SampledSGD(
        n=2500, batch_size=50, steps=600, unlearning_steps=60, step_size=0.5, smoothness=0.4,
        ridge=0.04,
    )  # fmt: skip
    rows, owed = steep.most_rows(1e-7)
    assert rows < 2500
    assert 0 <= owed <= 1e-15
    assert (steep.contraction(rows) == 0.98 * (1 + 2.0**-50) + 2.0**-54).all()
    tight = SampledSGD(
        n=2500, batch_size=50, steps=600, unlearning_steps=60, step_size=0.5, smoothness=4.0,
    )  # fmt: skip
    assert (tight.contraction(tight.most_rows(1e-7)[0]) > 1).all()


@pytest.mark.parametrize("accountant", ["exact", "lower"])
def test_noise_and_steps_for_a_target(accountant):
    setting = example(50)
    sigma = sampled_noise(setting, 1.0, 1e-5, accountant)
    assert sampled_epsilon(setting, sigma, 1e-5, accountant) <= 1.0
    assert sampled_epsilon(setting, sigma * (1 - 2e-6), 1e-5, accountant) > 1.0
    steps = least_unlearning_steps(setting, 1.0, 1.0, 1e-5, accountant)
    assert sampled_epsilon(example(steps), 1.0, 1e-5, accountant) <= 1.0
    assert sampled_epsilon(example(steps - 1), 1.0, 1e-5, accountant) > 1.0


def test_rows_of_a_sequence_count_until_they_leave():
    rows = np.array([2] * 180 + [1] * 30 + [0] * 30)
    both = example(60, rows=rows)
    first, second = example(60), example(30, steps=210)
    found = [sampled_epsilon(s, 1.0, 1e-5) for s in (first, second, both)]
    assert found[0] < found[1] < found[2]


@settings(max_examples=40)
@given(
    values=st.lists(st.floats(0.01, 2), min_size=1, max_size=6),
    chance=st.floats(0.01, 0.99), y=st.floats(-6, 30),
)  # fmt: skip
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
        for found, exact in ((line.tail(y), tail), (line.density(y), density)):
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


WRONG = {
    "steps": {"steps": 0}, "batch_size": {"batch_size": 570}, "rate": {"rate": 1.5},
    "sampling": {"sampling": "random"}, "adjacency": {"adjacency": "skip"},
    "diameter": {"reference": "T"}, "rows": {"rows": 3, "adjacency": "replace"},
    "reference": {"reference": "T", "diameter": 1.0, "step_size": [0.5] * 229 + [0.4]},
    "unlearning_steps": {"reference": "T", "diameter": 1.0, "sampling": "cyclic"},
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_go_together_is_refused(name):
    with pytest.raises(ValueError, match=name):
        example(50, **WRONG[name])


def means(sampling, rows, steps, factor, size=2):
    """Mean of the last iterate of linear losses for every way to draw the batches, and chances."""
    found = [(0.0, 1.0)]
    done = 0
    while done < steps:
        if sampling == "fixed":
            ways = [[sum(batch)] for batch in itertools.combinations(rows, size)]
        else:
            orders = itertools.permutations(rows)
            ways = [[sum(o[:size]), sum(o[size:])] for o in orders]
        new: dict[float, float] = {}
        for (at, p), way in itertools.product(found, ways):
            for total in way[: steps - done]:
                at = factor * at - total
            new[round(at, 9)] = new.get(round(at, 9), 0.0) + p / len(ways)
        found, done = list(new.items()), done + len(ways[0])
    return found


@pytest.mark.parametrize(
    "others", [(-1, -1, -1), (1, 1, 1), (1, -1, 0)], ids=["against", "with", "mixed"]
)
@pytest.mark.parametrize("adjacency", ["delete", "replace"])
@pytest.mark.parametrize("sampling", ["fixed", "shuffled"])
def test_every_way_to_draw_batches_of_four_rows(sampling, adjacency, others):
    setting = SampledSGD(
        n=4, batch_size=2, steps=4, unlearning_steps=0, step_size=0.5, smoothness=0.0, ridge=0.4,
        sampling=sampling, adjacency=adjacency,
    )  # fmt: skip
    factor = 0.8
    deviation = 1.5 * math.sqrt(sum(factor ** (2 * k) for k in range(4)))
    after = others if adjacency == "delete" else (-1, *others)
    z = np.linspace(-25, 25, 20001)
    laws = [
        sum(
            p * np.exp(-(((z - at) / deviation) ** 2) / 2)
            for at, p in means(sampling, r, 4, factor)
        )
        / (deviation * math.sqrt(2 * math.pi))
        for r in ((1, *others), after)
    ]
    for delta in (0.03, 1e-4):
        gamma = math.exp(sampled_epsilon(setting, 1.5, delta))
        for p, q in (laws, laws[::-1]):
            assert np.maximum(p - gamma * q, 0).sum() * (z[1] - z[0]) <= delta * (1 + 1e-6)
