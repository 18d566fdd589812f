"""Models that are published on the way: enumeration, exact joint laws, and the answer in words."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting import SampledSGD, epsilon_gdp, pabi_mu, sampled_epsilon, sampled_noise
from accounting.curves.discrete_sums import Term, times
from accounting.curves.gaussian import delta_gdp
from accounting.curves.gaussian_mixtures import epsilon
from accounting.problems import SampledDescent, Target
from accounting.sampled._joint import Joint, _mean_square
from accounting.sampled._largest_batch import Accounts
from accounting.sampled.accountants import accounts
from tests.examples import examples

BASE = {
    "n": 569,
    "batch_size": 64,
    "steps": 60,
    "step_size": 0.5,
    "smoothness": 0.25,
    "ridge": 0.05,
}


@st.composite
def short(draw):
    """Several intervals, the row in all but the last steps."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=2, max_size=3))
    length, gone = sum(sizes), draw(st.integers(0, sizes[-1]))

    def schedule(low, high):
        return np.array([draw(st.floats(low, high)) for _ in range(length)])

    return SampledSGD(
        n=10,
        batch_size=1,
        smoothness=0.0,
        steps=length - gone,
        unlearning_steps=gone,
        step_size=schedule(0.4, 1.6),
        ridge=draw(st.floats(0, 0.6)),
        rate=schedule(0.02, 0.98),
        published=np.cumsum(sizes)[:-1].tolist(),
    )


def all_patterns(setting):
    """Chances of all patterns, and mu of each interval."""
    factor, ends = np.abs(1 - setting.eta * setting.ridge), [0, *setting.published, setting.length]
    for pattern in itertools.product((0, 1), repeat=setting.steps):
        shift = np.zeros(setting.length)
        shift[: setting.steps] = np.array(pattern) * setting.eta[: setting.steps]
        rates = setting.rates[: setting.steps]
        each = [
            pabi_mu(factor[a:b], shift[a:b], setting.eta[a:b]) for a, b in itertools.pairwise(ends)
        ]
        yield np.prod(np.where(pattern, rates, 1 - rates)), each


@examples(7, full=15)
@given(setting=short(), sigma=st.floats(0.6, 3), power=st.floats(-8, -0.7))
def test_no_bound_is_below_the_average_over_all_patterns(setting, sigma, power):
    delta = 10.0**power
    chances, mus = zip(*all_patterns(setting), strict=True)
    whole = np.linalg.norm(np.array(mus), axis=1)
    law = (Term(whole[None, :] / sigma, np.array([chances]), np.zeros(1)),)
    away = epsilon(law, None, delta, up=False) * (1 - 1e-9)
    back = epsilon(None, times(law, -1), delta, up=False) * (1 - 1e-9)
    made = accounts(setting, delta).plain
    assert made.patterns(sigma) >= max(away, back)
    assert made.lower(sigma) <= made.mixture(sigma)
    if isinstance(made, Joint) and len(made.parts) > 1:
        assert made.mixture(sigma) >= max(away, back)
        assert made._costs(sigma) >= away
        assert made._mean(sigma) >= back * (1 - 1e-9)
    square = sum(_mean_square(part.blocks.outcomes) for part in made.parts)
    assert square >= np.dot(chances, whole**2) * (1 - 1e-12)


def joint_law(with_row, adaptive, sigma, q, grid):
    """Of (x_1, x_2): two steps and a publication, then a step that depends on it, with the row."""
    width, row = grid[1] - grid[0], np.sign(grid - 0.2) if with_row else 0 * grid

    def kernel(place):
        bell = np.exp(-(((grid - place[:, None]) / sigma) ** 2) / 2)
        return bell / sigma / math.sqrt(2 * math.pi)

    def step(way):
        return (1 - q) * kernel(way(grid)) + q * kernel(way(grid) + row)

    folded, plain = step(lambda x: 0.9 * np.abs(x)), step(lambda x: 0.9 * x)
    first = np.zeros(grid.size)
    first[grid.size // 2] = 1 / width
    for _ in range(2):
        first = first @ plain * width
    if not adaptive:
        return first[:, None] * plain
    return first[:, None] * np.where(grid[:, None] > 0.4, folded, plain)


@pytest.mark.parametrize("adaptive", [False, True], ids=["fixed", "adaptive"])
@pytest.mark.parametrize("q", [0.2, 0.7])
def test_exact_joint_laws_stay_within(adaptive, q):
    setting = SampledSGD(
        n=10,
        batch_size=1,
        smoothness=0.0,
        steps=3,
        unlearning_steps=0,
        step_size=1.0,
        ridge=0.1,
        rate=q,
        published=(2,),
    )
    grid = np.linspace(-9, 9, 301)
    laws = [joint_law(there, adaptive, 1.4, q, grid) for there in (True, False)]
    for delta in (0.1, 1e-3):
        gamma = math.exp(sampled_epsilon(setting, 1.4, delta, "mixture"))
        for p, q_ in (laws, laws[::-1]):
            found = np.maximum(p - gamma * q_, 0).sum() * (grid[1] - grid[0]) ** 2
            assert found <= delta * (1 + 5e-3)


def test_what_follows_the_last_publication_with_the_row_is_free():
    alone = SampledSGD(**BASE, unlearning_steps=0)
    both = SampledSGD(**BASE, unlearning_steps=50, published=(60,))
    for accountant in ("mixture", "patterns", "lower", "exact"):
        found = [sampled_epsilon(setting, 1.0, 1e-5, accountant) for setting in (alone, both)]
        assert found[0] == found[1]
    assert sampled_noise(both, 5.0, 1e-5, "lower") == sampled_noise(alone, 5.0, 1e-5, "lower")


def sequence(requests, after=10, **changes):
    given_ = {**BASE, **changes}
    first = given_["steps"]
    seen = first + (requests - 1) * after
    return SampledSGD(
        **given_,
        unlearning_steps=requests * after,
        rows=np.where(np.arange(first + requests * after) < seen, 1, 0),
        published=[first + after * k for k in range(requests)],
    )


def test_every_publication_costs_and_composition_of_all_steps_is_above():
    found = []
    for requests in (1, 2, 4):
        values = {
            a: sampled_epsilon(sequence(requests), 1.0, 1e-5, a)
            for a in ("exact", "mixture", "training", "lower")
        }
        assert values["lower"] <= values["exact"] == min(values["mixture"], values["training"])
        found.append(values)
    for before, after in itertools.pairwise(found):
        assert all(before[name] < after[name] for name in ("exact", "training", "lower"))


def test_few_long_intervals_cost_far_less_than_their_steps():
    setting = sequence(2, 50, steps=180)
    found = sampled_epsilon(setting, 1.0, 1e-5, "mixture")
    assert found < 0.8 * sampled_epsilon(setting, 1.0, 1e-5, "training")


def test_equal_intervals_are_counted_together():
    parts = sequence(30).intervals()
    assert len(parts) == 30
    assert len(set(parts)) == 2
    many = sampled_epsilon(sequence(30), 3.0, 1e-5, "mixture")
    assert sampled_epsilon(sequence(30), 3.0, 1e-5, "lower") <= many < math.inf


@pytest.mark.parametrize("sampling", ["full", "cyclic"])
def test_one_pattern_composes_as_gaussians_do(sampling):
    setting = sequence(3, n=64 if sampling == "full" else 128, sampling=sampling)
    found = sampled_epsilon(setting, 1.3, 1e-5)
    squares = 0.0
    for size in (60, 10, 10):
        shift = np.zeros(size)
        shift[(0 if sampling == "full" else 1) :: 1 if sampling == "full" else 2] = 0.5 / 64
        squares += pabi_mu(0.975, shift, 0.5 / 64 * 1.3) ** 2
    assert found == pytest.approx(float(epsilon_gdp(math.sqrt(squares), 1e-5)), rel=1e-9)


@given(
    mus=st.lists(st.floats(0, 4), min_size=1, max_size=4),
    gamma=st.floats(0.0, 3.0),
    seed=st.integers(0, 99),
)
def test_the_mean_bounds_the_other_direction(mus, gamma, seed):
    from scipy.special import ndtr

    weights = np.random.default_rng(seed).dirichlet(np.ones(len(mus)))
    square = float(weights @ np.square(mus))
    at = max(gamma, square / 2)
    z = np.linspace(-12, 12, 4801)
    power = sum(w * ndtr(z + m) for w, m in zip(weights, mus, strict=True))
    exact = float((ndtr(-z) - math.exp(at) * (1 - power)).max())
    assert exact <= float(delta_gdp(math.sqrt(square), at)) * (1 + 1e-9) + 1e-12


SCHEMES = {
    "two rows": {"rows": 2},
    "fixed": {"sampling": "fixed"},
    "fixed delete": {"sampling": "fixed", "adjacency": "delete"},
    "delete": {"adjacency": "delete"},
    "replace": {"adjacency": "replace"},
    "replace fixed": {"adjacency": "replace", "sampling": "fixed"},
    "add": {"adjacency": "add"},
    "shuffled": {"sampling": "shuffled", "n": 640},
    "shuffled delete": {"sampling": "shuffled", "n": 640, "adjacency": "delete"},
    "replace shuffled": {"adjacency": "replace", "sampling": "shuffled", "n": 640},
}


@pytest.mark.parametrize("name", SCHEMES)
def test_publications_in_training_under_every_scheme(name):
    given_ = {**BASE, **SCHEMES[name], "steps": 30, "unlearning_steps": 5}
    lasts = [SampledSGD(**given_, published=times_) for times_ in ((30,), (10, 20, 30))]
    # Composing two rows, or rows at two rates, takes seconds.
    best = "mixture" if name in ("two rows", "delete", "add") else "exact"
    values = [[sampled_epsilon(s, 2.0, 1e-4, a) for s in lasts] for a in (best, "lower")]
    for lower, upper in zip(values[1], values[0], strict=True):
        assert lower <= upper < math.inf
    assert sampled_epsilon(lasts[1], 2.0, 1e-4, "patterns") < math.inf


def test_the_problem_says_what_requests_may_depend_on():
    given_ = {**BASE, "unlearning_steps": 10}
    last, every = SampledDescent(**given_), SampledDescent(**given_, published="all")
    assert last.assumptions.adaptivity.value == "oblivious"
    assert every.assumptions.adaptivity.value == "adaptive"
    assert every.assumptions.released.value == "all"
    assert every.assumptions.secret_state.value == "between"
    several = SampledDescent(**given_, published="all", requests=4, privacy_unit="one")
    assert several.assumptions.adaptivity.value == "adaptive"
    together = SampledDescent(**given_, published="all", requests=4)
    assert together.assumptions.adaptivity.value == "oblivious"
    with pytest.raises(ValueError, match="privacy_unit must not be given with one request"):
        SampledDescent(**given_, privacy_unit="one")
    for problem, setting in ((every, sequence(1)), (several, sequence(4))):
        found = problem.certified("mixture", 1.0, 1e-5).epsilon
        assert found == sampled_epsilon(setting, 1.0, 1e-5, "mixture")
    with pytest.raises(ValueError, match="published must be last"):
        every.plan(1.0, Target(1.0, 1e-5))


@pytest.mark.parametrize("each", [0, 3])
def test_more_models_and_more_rows_never_tell_less(each):
    """Of one unit, what more is published costs; the rows of one request cost no more than all."""
    given_ = {**BASE, "steps": 20, "unlearning_steps": each, "requests": 3}
    for accountant in ("mixture", "patterns", "lower"):
        found = {}
        for unit, seen in itertools.product(("one", "all"), ("last", "all")):
            problem = SampledDescent(**given_, privacy_unit=unit, published=seen)
            found[unit, seen] = sampled_epsilon(problem.setting, 2.0, 1e-4, accountant)
        for unit in ("one", "all"):
            assert found[unit, "last"] <= found[unit, "all"] * (1 + 1e-6)
            assert (found[unit, "last"] == found[unit, "all"]) == (each == 0)
        for seen in ("last", "all"):
            assert found["one", seen] < found["all", seen]


WRONG = {
    "descending": {"published": (40, 20)},
    "beyond": {"published": (65,)},
    "a number": {"published": 3},
    "nothing": {"published": (0,)},
    "within an epoch": {"published": (5,), "sampling": "shuffled"},
    "reference": {"published": (5,), "reference": "stationary", "diameter": 1.0},
}


@pytest.mark.parametrize("name", WRONG)
def test_times_that_are_none_are_refused(name):
    with pytest.raises(ValueError, match="published must be"):
        SampledSGD(**BASE, unlearning_steps=5, **WRONG[name])


def test_without_a_row_nothing_is_told():
    setting = SampledSGD(**BASE, unlearning_steps=5, rows=np.zeros(65, dtype=int), published=(60,))
    assert isinstance(accounts(setting, 1e-5).plain, Joint)
    assert sampled_epsilon(setting, 1.0, 1e-5, "patterns") == 0
    assert Accounts(setting.intervals()[0], 1e-5).patterns(1.0) == 0
