"""Few unlearning steps: the recursion over steps, against tests of the class and many digits."""

import itertools
import math

import hypothesis.strategies as st
import mpmath
import numpy as np
import pytest
from hypothesis import given
from scipy.special import ndtr, ndtri

from accounting import SampledSGD, sampled_epsilon
from accounting.curves.discrete_sums import Joined, Term, cumulant
from accounting.sampled._largest_batch import Accounts
from accounting.sampled._lattice import AtomGrid, coarser, integral, shifted
from accounting.sampled._one_step import SampledStep, lines, normal
from accounting.sampled._recursion import LevelRange, _Fitted, bound
from tests.examples import examples

X = np.linspace(-9, 9, 3601)
WEIGHT = normal(X) * (X[1] - X[0])


@st.composite
def steps(draw):
    """Masses on a lattice and a step before it, with one coin or two."""
    slope = draw(st.floats(0.05, 1.5))
    size = draw(st.integers(1, 60))
    mass = np.zeros(size)
    mass[0] = draw(st.floats(0.3, 1))
    for _ in range(draw(st.integers(0, 3))):
        mass[draw(st.integers(0, size - 1))] += draw(st.floats(1e-4, 0.3))
    q = draw(st.floats(0.01, 0.9))
    theta = draw(st.floats(0.2, 2.5))
    several = draw(st.booleans())
    outcomes = ([0, theta, 2 * theta], [1 - q, 0.7 * q, 0.3 * q])
    if not several:
        outcomes = ([0, theta], [1 - q, q])
    return mass, SampledStep(slope, *map(np.array, outcomes))


@examples(25, full=400)
@given(
    case=steps(),
    start=st.floats(-9, 2),
    rises=st.lists(st.tuples(st.floats(-3, 3), st.floats(0, 1)), max_size=3),
    upper=st.booleans(),
)
def test_no_map_that_rises_slowly_passes_the_lines(case, start, rises, upper):
    """Whatever u is, of a slope of at most l: its level and power are on the right side of all."""
    mass, step = case
    grid = AtomGrid(-8.0, 0.02, 600)
    bounds = lines(mass, step, grid, upper=upper)
    # A slope of l where no knot says less: from each knot on it is a part of l.
    part = np.ones(X.size)
    for knot, share in sorted(rises):
        part[knot <= X] = share
    between = (part[1:] + part[:-1]) / 2 * (X[1] - X[0])
    u = start + step.slope * np.append(0.0, np.cumsum(between))
    # From the other side all is turned round: the row makes a yes less likely.
    sign = 1 if upper else -1
    level = float(WEIGHT @ ndtr(sign * u))
    atoms = grid.distance * step.width * np.arange(mass.size)
    power = float((WEIGHT * step.rho(X)) @ (ndtr(sign * (u[:, None] + atoms)) @ mass))
    at = bounds.values + bounds.slopes * (level - bounds.levels)
    tolerance = 1e-6 * power + 1e-14
    if upper:
        assert power <= at.min() + tolerance
    else:
        assert power >= at.max() - tolerance


@pytest.mark.parametrize("z", [-6.0, -4.0, -2.0])
def test_the_lines_touch_what_a_map_that_forgets_attains(z):
    """Between linear losses and the lines lies little that u = max(a + l x, c) does not reach."""
    q, step = 0.1125, SampledStep(0.975, np.array([0.0, 1.0]), np.array([0.8875, 0.1125]))
    mass = np.zeros(51)
    mass[0], mass[50] = 1 - q, q
    bounds = lines(mass, step, AtomGrid(-9.0, 0.02 / step.width, 950), upper=True)
    x, weight = X[::10], WEIGHT[::10] * 10
    a = np.linspace(z - 2.5, z + 0.05, 60)[:, None] * step.width + step.slope * x

    def power(floor):
        u = np.maximum(a, floor)
        levels, powers = (
            ndtr(u) @ weight,
            ((1 - q) * ndtr(u) + q * ndtr(u + 1)) @ (weight * step.rho(x)),
        )
        # Concave in the level, so that a chord is below it.
        return float(np.interp(ndtr(z), levels, powers, left=0.0))

    linear = power(-math.inf)
    best = max(power(floor) for floor in np.linspace(1.8 * z, z - 0.05, 40))
    line = float((bounds.values + bounds.slopes * (ndtr(z) - bounds.levels)).min())
    assert linear < best <= line * (1 + 1e-6)
    assert best - linear > 0.55 * (line - linear)


@pytest.mark.parametrize("upper", [True, False], ids=["yes", "no"])
@pytest.mark.parametrize("atoms", [51, 201], ids=["few atoms", "many atoms"])
def test_fitted_masses_are_beyond_the_lines_at_every_corner(atoms, upper):
    """Few masses are fitted as a whole; to many some are added."""
    step = SampledStep(0.975, np.array([0.0, 1.0]), np.array([0.8875, 0.1125]))
    mass = np.zeros(atoms)
    mass[0], mass[50], mass[-1] = 0.8, 0.1, 0.1
    grid = AtomGrid(-8.0, 0.02 / step.width, 850)
    levels, values = lines(mass, step, grid, upper=upper).corners()
    some = slice(10, -10)
    after = shifted(mass, np.array([0.0, 50.0]), step.chance)
    fitted = _Fitted(grid, levels[some], values[some], upper=upper).masses(after, -3.0)
    # The level is the chance of the other end where `upper` is false.
    sign = 1 if upper else -1
    z = sign * ndtri(levels[some])
    exact = ndtr(sign * (z[:, None] + grid.distance * np.arange(fitted.size))) @ fitted
    assert (sign * (exact / values[some] - 1)).min() >= -1e-12


def short(unlearning):
    return SampledSGD(
        n=10,
        batch_size=1,
        smoothness=0.0,
        steps=3,
        unlearning_steps=unlearning,
        step_size=1.0,
        ridge=0.2,
        rate=0.3,
    )


@pytest.mark.parametrize("upper", [True, False], ids=["yes", "no"])
@pytest.mark.parametrize("unlearning", [0, 1])
def test_the_bound_is_beyond_all_patterns_of_linear_losses(unlearning, upper):
    """All eight patterns in 50 digits: they are members of the class."""
    setting = short(unlearning)
    blocks = Accounts(setting, 1e-5).blocks.outcomes
    over = LevelRange(-8.0, 4.0, 1e-9, 1e-9) if upper else LevelRange(-4.0, 7.0, 1e-4, 1e-12)
    found = bound(blocks, 1.2, over, upper=upper)
    (term,) = found.law
    assert isinstance(term, Term)
    sign = 1 if upper else -1
    with mpmath.workdps(50):
        factor = mpmath.mpf(1) - mpmath.mpf(setting.ridge)
        after = [factor ** (setting.length - 1 - k) for k in range(setting.length)]
        deviation = mpmath.mpf("1.2") * mpmath.sqrt(sum(a * a for a in after))
        q = mpmath.mpf(0.3)
        for z in (-6, -4, -2, 0, 1) if upper else (-3, 0, 2, 4, 6):
            exact = mpmath.mpf(0)
            for coins in itertools.product((0, 1), repeat=3):
                chance = mpmath.fprod(q if coin else 1 - q for coin in coins)
                shift = sum(a for a, coin in zip(after, coins, strict=False) if coin) / deviation
                exact += chance * mpmath.ncdf(sign * (z + shift))
            value = float(ndtr(sign * (z + term.values[0])) @ term.chances[0])
            ratio = float((value + sign * found.lost) / exact)
            assert 1 <= ratio <= 1.6 if upper else 0.9 <= ratio <= 1


def test_the_gap_of_an_exchange_without_unlearning():
    """The example of docs/sampled-batches.md: within 5 % of linear losses, from both sides."""
    setting = SampledSGD(
        n=569,
        batch_size=64,
        steps=180,
        unlearning_steps=0,
        step_size=0.5,
        smoothness=0.25,
        ridge=0.05,
        adjacency="replace",
    )
    lower, upper = (sampled_epsilon(setting, 1.0, 1e-5, name) for name in ("lower", "mixture"))
    assert lower < upper < 1.05 * lower


def test_sums_on_a_lattice():
    grid, mass = AtomGrid(-1.0, 0.25, 5), np.array([0.5, 0.0, 0.25])
    expected = [0.5 * ndtr(x + 0.1) + 0.25 * ndtr(x + 0.6) for x in grid.points]
    assert np.allclose(grid.sums(mass, ndtr, 0.1), expected, rtol=1e-14)
    assert grid.part(slice(2, 4)).points.tolist() == [-0.5, -0.25]
    points = np.linspace(-6, 5, 551)
    assert np.allclose(integral(normal, points, 0.02, below=True, reach=13), ndtr(points), 1e-10)
    above = integral(normal, points, 0.02, below=False, reach=13)
    assert np.allclose(above, ndtr(-points), 1e-10)


@given(
    mass=st.lists(st.floats(0, 1), min_size=1, max_size=6),
    shift=st.floats(0, 5),
    q=st.floats(0, 1),
)
@examples(20, full=200)
def test_masses_move_with_their_sum_and_mean(mass, shift, q):
    mass = np.array(mass)
    moved = shifted(mass, np.array([0.0, shift]), np.array([1 - q, q]))

    def mean(law, distance=1):
        return float(law @ np.arange(law.size)) * distance

    assert moved.sum() == pytest.approx(mass.sum(), abs=1e-12)
    assert mean(moved) == pytest.approx(mean(mass) + q * shift * mass.sum(), abs=1e-12)
    half = coarser(moved)
    assert half.sum() == pytest.approx(moved.sum(), abs=1e-12)
    assert mean(half, 2) == pytest.approx(mean(moved), abs=1e-12)


def test_a_joined_law_is_that_of_all_blocks():
    rng = np.random.default_rng(5)
    values, chances = rng.uniform(0, 1, (4, 2)), rng.uniform(0, 0.4, (4, 2))
    zero = 1 - chances.sum(axis=1)
    whole = Term(values, chances, zero)
    joined = Joined(
        Term(values[:1], chances[:1], zero[:1]), Term(values[1:], chances[1:], zero[1:])
    )
    assert cumulant((joined,), 1.3) == pytest.approx(cumulant((whole,), 1.3), rel=1e-13)
    t = np.linspace(0, 5, 7)
    for (one, along), (other, expected) in [(joined.along(0.7, t), whole.along(0.7, t))]:
        assert one == pytest.approx(other, rel=1e-13)
        assert np.allclose(along, expected, rtol=1e-12)
    assert joined.mass == pytest.approx(whole.mass, rel=1e-14)
    # Twice the values, twice the angle: errors count the blocks of both.
    assert joined.times(-2).ulps(0.0, 10.0, 0.0) > joined.ulps(0.0, 10.0, 0.0) > 4 * 16


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "profile", [[1.0, 1e-2, 1.0], [1e3, 1.0, 1e-3], [0.3, 3.0, 0.3]], ids=["dip", "fall", "peak"]
)
def test_noises_of_any_size_have_an_answer_above_linear_losses(profile):
    setting = SampledSGD(
        n=10,
        batch_size=1,
        smoothness=0.0,
        steps=3,
        unlearning_steps=0,
        step_size=1.0,
        noise_profile=profile,
        rate=0.2,
    )
    lower, upper = (sampled_epsilon(setting, 2.0, 1e-6, name) for name in ("lower", "mixture"))
    assert lower <= upper * (1 + 1e-9)
