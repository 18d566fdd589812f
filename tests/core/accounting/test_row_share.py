"""Rows whose gradient is known to be small: enumeration, exact laws on a line, other precision."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting import SampledSGD, epsilon_gdp, pabi_mu, sampled_epsilon
from accounting.curves.discrete_sums import Term, times
from accounting.curves.gaussian_mixtures import epsilon
from accounting.problems import SampledDescent, Target
from accounting.sampled._largest_batch import Accounts
from tests.examples import examples

BASE = {
    "n": 569,
    "batch_size": 64,
    "steps": 180,
    "step_size": 0.5,
    "smoothness": 0.25,
    "ridge": 0.05,
}


@st.composite
def short(draw, adjacency="delete"):
    training, unlearning = draw(st.integers(1, 5)), draw(st.integers(0, 3))

    def schedule(low, high):
        return np.array([draw(st.floats(low, high)) for _ in range(training + unlearning)])

    return SampledSGD(
        n=10,
        batch_size=1,
        smoothness=0.0,
        steps=training,
        unlearning_steps=unlearning,
        step_size=schedule(0.4, 1.6),
        ridge=draw(st.floats(0, 1)),
        rate=schedule(0.02, 0.98),
        row_share=schedule(1e-9, 1),
        adjacency=adjacency,
    )


@examples(12, full=25)
@given(setting=short(), sigma=st.floats(0.6, 3), power=st.floats(-8, -0.7))
def test_no_bound_is_below_what_all_patterns_need(setting, sigma, power):
    """The mixture is that of linear losses; `patterns` averages the worst case of every one."""
    delta, weights, mus, sums = 10.0**power, [], [], []
    factor = np.abs(1 - setting.eta * setting.ridge)
    after = np.append(np.cumprod(factor[::-1])[::-1], 1.0)[1:]
    for pattern in itertools.product((0, 1), repeat=setting.steps):
        shift = np.zeros(setting.length)
        shift[: setting.steps] = np.array(pattern) * (setting.eta * setting.share)[: setting.steps]
        rates = setting.rates[: setting.steps]
        weights.append(np.prod(np.where(pattern, rates, 1 - rates)))
        mus.append(pabi_mu(factor, shift, setting.eta))
        sums.append((after * shift).sum() / max(np.linalg.norm(after * setting.eta), 1e-300))
    for values, holds in ((mus, True), (sums, False)):
        law = (Term(np.array([values]) / sigma, np.array([weights]), np.zeros(1)),)
        sides = (law, None), (None, times(law, -1))
        exact = max(epsilon(*pair, delta, up=not holds) for pair in sides)
        if holds:
            assert Accounts(setting, delta).patterns(sigma) >= exact * (1 - 1e-9)
            continue
        assert Accounts(setting, delta).mixture(sigma) >= exact * (1 - 1e-9)
        if (1 - setting.eta * setting.ridge >= 0).all():
            lower = sampled_epsilon(setting, sigma, delta, "lower")
            assert lower <= exact * (1 + 1e-9)
            assert lower >= exact * (1 - 1e-6) - 1e-12


def law_on_a_line(setting, sigma, way, row, grid):
    """The last iterate of maps that are `way`, and of a row whose gradient depends on the state."""
    width, law = grid[1] - grid[0], np.zeros(grid.size)
    law[grid.size // 2] = 1.0
    for k in range(setting.length):
        eta, q = setting.eta[k], setting.rates[k] if k < setting.steps else 0.0
        s, place = eta * sigma, (1 - eta * setting.ridge) * way(grid)
        moved = place + eta * setting.share[k] * row(grid)
        law = sum(
            p * (law @ np.exp(-(((grid - at[:, None]) / s) ** 2) / 2)) * width / s
            for p, at in ((1 - q, place), (q, moved))
        ) / math.sqrt(2 * math.pi)
    return law / width


WAYS = {"identity": lambda x: x, "fold": lambda x: np.abs(x - 0.3), "sine": lambda x: np.sin(x + 1)}
ROWS = {
    "constant": np.ones_like,
    "sign": lambda x: np.sign(x - 0.2),
    "wave": lambda x: np.cos(3 * x),
}


@examples(6, full=12)
@given(
    setting=short(),
    way=st.sampled_from(sorted(WAYS)),
    row=st.sampled_from(sorted(ROWS)),
    sigma=st.floats(1.0, 2.0),
    power=st.floats(-3, -0.7),
)
def test_exact_laws_of_curved_maps_stay_within(setting, way, row, sigma, power):
    grid, delta = np.linspace(-14, 14, 561), 10.0**power
    with_row = law_on_a_line(setting, sigma, WAYS[way], ROWS[row], grid)
    without = law_on_a_line(setting, sigma, WAYS[way], np.zeros_like, grid)
    for accountant in ("mixture", "patterns"):
        gamma = math.exp(min(sampled_epsilon(setting, sigma, delta, accountant), 500.0))
        for p, q in ((with_row, without), (without, with_row)):
            assert np.maximum(p - gamma * q, 0).sum() * 0.05 <= delta * (1 + 3e-3) + 1e-4


SCHEMES = {
    f"{sampling} {adjacency}": {"sampling": sampling, "adjacency": adjacency}
    for sampling in ("poisson", "fixed", "shuffled", "cyclic", "full")
    for adjacency in ("zero-out", "delete", "add", "replace")
}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_all_of_the_clip_is_the_answer_without_a_bound_and_less_is_less(scheme):
    given_ = {**BASE, "steps": 10, "unlearning_steps": 2, **SCHEMES[scheme]}
    if "full" in scheme:
        given_["n"] = 65
    for accountant in ("mixture", "patterns", "lower"):
        plain, same, listed, half, tiny = (
            sampled_epsilon(SampledSGD(**given_, **more), 1.3, 1e-4, accountant)
            for more in (
                {},
                {"row_share": 1.0},
                {"row_share": np.ones(12)},
                {"row_share": 0.5},
                {"row_share": np.full(12, 1e-9)},
            )
        )
        assert plain == same == listed
        if math.isfinite(plain):
            assert tiny <= half < plain
    setting = SampledSGD(**given_, row_share=0.5)
    # Composing steps at two rates takes seconds.
    best = "mixture" if scheme in ("poisson delete", "poisson add") else "exact"
    assert sampled_epsilon(setting, 1.3, 1e-4, "lower") <= sampled_epsilon(setting, 1.3, 1e-4, best)


@pytest.mark.parametrize("adjacency", ["zero-out", "delete", "add"])
def test_half_the_shift_is_half_of_mu_where_one_pattern_is(adjacency):
    setting = SampledSGD(
        **{**BASE, "n": 65, "steps": 20},
        unlearning_steps=3,
        sampling="full",
        row_share=0.5,
        adjacency=adjacency,
    )
    shift = np.where(np.arange(23) < 20, 0.5 / 128, 0)
    mu = pabi_mu(0.975, shift, 0.5 / 64 * 1.3)
    wanted = float(epsilon_gdp(mu, 1e-5))
    assert sampled_epsilon(setting, 1.3, 1e-5) == pytest.approx(wanted, rel=1e-9)


def means(sampling, rows, steps, factor):
    """Means of the last iterate of linear losses for every way to draw batches of two rows."""
    found, done = [(0.0, 1.0)], 0
    while done < steps:
        if sampling == "fixed":
            ways = [[sum(batch)] for batch in itertools.combinations(rows, 2)]
        else:
            ways = [[sum(o[:2]), sum(o[2:])] for o in itertools.permutations(rows)]
        new: dict[float, float] = {}
        for (at, p), way in itertools.product(found, ways):
            for total in way[: steps - done]:
                at = factor * at - total
            new[round(at, 9)] = new.get(round(at, 9), 0.0) + p / len(ways)
        found, done = list(new.items()), done + len(ways[0])
    return found


@pytest.mark.parametrize("others", [(-1, -1, -1), (1, 1, 1), (0.3, 0.3, 0.3), (1, -1, 0)],
                         ids=["against", "with", "alike", "mixed"])  # fmt: skip
@pytest.mark.parametrize("adjacency", ["zero-out", "delete", "replace"])
@pytest.mark.parametrize("sampling", ["fixed", "shuffled"])
def test_every_way_to_draw_batches_of_four_rows(sampling, adjacency, others):
    setting = SampledSGD(
        n=4,
        batch_size=2,
        steps=4,
        unlearning_steps=0,
        step_size=0.5,
        smoothness=0.0,
        ridge=0.4,
        sampling=sampling,
        adjacency=adjacency,
        row_share=0.3,
    )
    deviation = 1.5 * math.sqrt(sum(0.8 ** (2 * k) for k in range(4)))
    masked = {"zero-out": (0.0,), "delete": (), "replace": (-0.3,)}
    after = (*masked[adjacency], *others)
    z = np.linspace(-25, 25, 20001)
    laws = [
        sum(p * np.exp(-(((z - at) / deviation) ** 2) / 2) for at, p in means(sampling, r, 4, 0.8))
        / (deviation * math.sqrt(2 * math.pi))
        for r in ((0.3, *others), after)
    ]
    gamma = math.exp(sampled_epsilon(setting, 1.5, 0.03))
    assert math.exp(sampled_epsilon(setting, 1.5, 0.03, "lower")) <= gamma
    for p, q in (laws, laws[::-1]):
        assert np.maximum(p - gamma * q, 0).sum() * (z[1] - z[0]) <= 0.03 * (1 + 1e-6)


def test_the_row_that_moves_to_the_free_place_counts_in_full():
    setting = SampledSGD(
        n=6,
        batch_size=2,
        steps=3,
        unlearning_steps=0,
        step_size=2.0,
        smoothness=0.0,
        ridge=0.1,
        sampling="shuffled",
        adjacency="delete",
        row_share=[0.1, 0.2, 0.3],
    )
    after = np.array([0.64, 0.8, 1.0])
    wanted = [1.1 * after[0] + after[2], 1.2 * after[1] + after[2], 0.3 * after[2]]
    assert Accounts(setting, 1e-3).blocks.outcomes.shift[0] == pytest.approx(wanted)


def test_many_different_bounds_still_compose():
    pytest.importorskip("dp_accounting")
    given_ = {**BASE, "steps": 40, "unlearning_steps": 0}
    found = [
        sampled_epsilon(SampledSGD(**given_, row_share=s), 3.0, 1e-5, "training")
        for s in (0.2, np.linspace(0.2, 0.9, 40), 0.9)
    ]
    assert found[0] < found[1] < found[2]


PROBLEM = {**BASE, "steps": 40, "unlearning_steps": 20}


def test_the_problem_counts_in_units_of_the_clip_and_says_what_is_released():
    plain = SampledDescent(**PROBLEM, clip=2.0, row_gradient=2.0)
    least = SampledDescent(**PROBLEM, clip=2.0).certified("mixture", 1.0, 1e-5).epsilon
    assert plain.certified("mixture", 1.0, 1e-5).epsilon == least
    half = SampledDescent(**PROBLEM, clip=2.0, row_gradient=1.0)
    listed = SampledDescent(**PROBLEM, clip=2.0, row_gradients=[1.0] * 40)
    found = [p.certified("mixture", 1.0, 1e-5).epsilon for p in (half, listed)]
    assert found[0] == pytest.approx(found[1], rel=1e-9)
    assert found[0] < least
    assert listed.plan(1.0, Target(3.0, 1e-5), ["mixture"]).by["mixture"].valid
    for problem, name in ((half, "row_gradient"), (listed, "row_gradients")):
        assert problem.assumptions.from_data == (name,)
        assert any(f"{name} is released" in c for c in problem.assumptions.conditions)


@pytest.mark.parametrize(("sigma", "longer"), [(0.3, True), (3.0, False)])
def test_a_plan_that_is_no_shorter_than_retraining_says_so(sigma, longer):
    problem = SampledDescent(**{**PROBLEM, "steps": 10})
    found = problem.plan(sigma, Target(1.0, 1e-5), ["mixture"])
    steps = found.by["mixture"].details["unlearning_steps"]
    assert (steps >= 10) == longer
    assert any("retraining 10: retrain" in line for line in found.remarks) == longer


WRONG = {
    "row_gradient": {"row_gradient": 1.5},
    "row_gradients": {"row_gradients": [0.5] * 41},
    "row_gradient must not": {"row_gradient": 0.5, "row_gradients": [0.5] * 40},
}


@pytest.mark.parametrize("name", WRONG)
def test_bounds_above_the_clip_or_of_other_length_are_refused(name):
    with pytest.raises(ValueError, match=name):
        SampledDescent(**PROBLEM, **WRONG[name])
