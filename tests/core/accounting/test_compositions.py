"""Compositions by a contour: against 200 bits, a closed form, another library, and themselves."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from accounting.compositions.contours import CompositionContour
from accounting.compositions.epsilons import StepKind, composition_epsilon, one_sided_epsilon
from accounting.compositions.loss_decay import LossDecay
from accounting.compositions.loss_grids import IntervalLosses, grid_epsilon
from accounting.compositions.mixture_steps import RELATIONS, MixtureStep
from accounting.compositions.tilted_steps import TiltedStep
from accounting.curves.gaussian import epsilon_gdp
from tests.core.accounting.exact_compositions import exact_delta
from tests.examples import examples


def row(noise, rate, relation="remove"):
    """A step on one row."""
    return MixtureStep(np.array([1 / noise]), np.array([rate]), relation)


def kind(noise, rate, often):
    return StepKind(np.array([1 / noise]), np.array([rate]), often)


EXACT = [
    ("remove", 2.2, 0.234, 28, 1.5e-11),
    ("add", 1.65, 0.0132, 210, 7.6e-8),
    ("replace", 4.81, 0.0956, 750, 7.5e-7),
    ("remove", 1.63, 0.00816, 1_264_215, 1.4e-6),
    ("replace", 1.86, 0.00241, 480_849, 1.1e-10),
]


@pytest.mark.parametrize(("relation", "noise", "rate", "often", "delta"), EXACT)
def test_it_is_above_the_truth_by_less_than_rounding_shows(relation, noise, rate, often, delta):
    pytest.importorskip("flint")
    steps = [(row(noise, rate, relation), often)]
    above = one_sided_epsilon(steps, delta)
    below = one_sided_epsilon(steps, delta, up=False)
    truth = exact_delta(relation, 1 / noise, rate, often)
    assert truth(above) <= delta < truth(above - 1e-8)
    assert truth(below) >= delta
    assert below > above - 1e-9 * max(above, 1)


@pytest.mark.parametrize("often", [20, 10**4, 10**8])
@pytest.mark.parametrize("delta", [1e-2, 1e-12])
def test_rows_in_every_batch_are_a_gaussian_curve(often, delta):
    noise = math.sqrt(often)
    exact = float(epsilon_gdp(1.0, delta))
    above = composition_epsilon([kind(noise, 1.0, often)], delta, exchanged=False)
    assert exact <= above <= exact * (1 + 1e-8)
    # Against the mirror image the shift is twice as long.
    exact = float(epsilon_gdp(2.0, delta))
    above = composition_epsilon([kind(noise, 1.0, often)], delta, exchanged=True)
    assert exact <= above <= exact * (1 + 1e-8)


def test_kinds_of_steps_add_up():
    apart = [kind(1.3, 0.05, 120), kind(1.3, 0.05, 80), kind(2.0, 0.3, 30)]
    together = [kind(1.3, 0.05, 200), kind(2.0, 0.3, 30)]
    one, other = (composition_epsilon(each, 1e-6, exchanged=False) for each in (apart, together))
    assert one == pytest.approx(other, rel=1e-9)
    assert other > composition_epsilon(together[:1], 1e-6, exchanged=False)


@examples(6, full=300)
@given(
    relation=st.sampled_from(RELATIONS),
    noise=st.floats(0.3, 30),
    rate=st.floats(1e-4, 1),
    often=st.integers(1, 10**7),
    log_delta=st.floats(-60, -1),
)
def test_bounds_never_cross_and_meet_where_steps_are_many(relation, noise, rate, often, log_delta):
    steps = [(row(noise, rate, relation), often)]
    above = one_sided_epsilon(steps, math.exp(log_delta))
    below = one_sided_epsilon(steps, math.exp(log_delta), up=False)
    assert below <= above < math.inf


@examples(20, full=300)
@given(
    relation=st.sampled_from(RELATIONS),
    noise=st.floats(0.3, 10),
    rate=st.floats(1e-3, 1),
    c=st.floats(0.05, 20),
    start=st.floats(1e-3, 100),
    ratio=st.floats(1, 1.5),
)
def test_the_transform_is_below_its_bound_on_an_interval(relation, noise, rate, c, start, ratio):
    tilted = TiltedStep(row(noise, rate, relation), c, 30.0)
    t = start * np.linspace(1, ratio, 5)
    ends = np.array([start]), np.array([start * ratio])
    lack, error = tilted.transform(t)
    bound = math.exp(float(LossDecay(tilted, 400).log_bound(*ends)[0]))
    assert (np.abs(1 + lack) - error <= bound * (1 + 1e-12)).all()


def test_transforms_err_by_no_more_than_they_say():
    """The same numbers by rules of half the step, and beyond the nodes that are needed."""
    tilted = TiltedStep(row(0.8, 0.02), 3.0, 36.0)
    finer = TiltedStep(row(0.8, 0.02), 3.0, 80.0)
    t = np.array([0.1, 1.0, 7.0, 30.0])
    (one, error), (other, more) = tilted.transform(t), finer.transform(t)
    turned = (1 + other) * np.exp(1j * t * (finer.mean - tilted.mean)) - 1
    assert (np.abs(one - turned) <= error + more).all()
    assert abs(tilted.log - finer.log) <= tilted.log_error + finer.log_error
    assert (error < 1e-10).all()


def test_many_rows_are_above_few_and_below_their_largest_number():
    number = np.arange(1.0, 6.0)
    chances = np.array([0.3, 0.1, 0.02, 2e-3, 1e-4])
    few = composition_epsilon([StepKind(number[:4] / 2, chances[:4], 50)], 1e-5, exchanged=False)
    many = composition_epsilon([StepKind(number / 2, chances, 50)], 1e-5, exchanged=False)
    surely = composition_epsilon([kind(2 / 5, float(chances.sum()), 50)], 1e-5, exchanged=False)
    assert few < many < surely


def test_nodes_do_not_grow_with_steps():
    sizes = []
    for often in (10**3, 10**6, 10**8):
        line = CompositionContour([(row(0.1 * math.sqrt(often), 0.05), often)], 5.0)
        assert line.aim(smooth=True)
        sizes.append(line.t.size)
    assert max(sizes) <= 2 * min(sizes)


def test_hardly_any_noise_has_a_bound_as_well():
    values = [
        composition_epsilon([kind(noise, 0.01, 100)], 1e-5, exchanged=False)
        for noise in (0.03, 0.09, 0.2, 0.5)
    ]
    assert values == sorted(values, reverse=True)
    assert values[0] < math.inf


def test_another_library_is_above():
    losses = pytest.importorskip("dp_accounting.pld").privacy_loss_distribution
    other = losses.from_gaussian_mechanism(
        1.0, value_discretization_interval=3e-4, sampling_prob=0.01
    )
    theirs = other.self_compose(1000).get_epsilon_for_delta(1e-5)
    ours = composition_epsilon([kind(1.0, 0.01, 1000)], 1e-5, exchanged=False)
    assert ours <= theirs <= ours + 1e-4


def two_steps(shift, rate):
    """delta of two steps, remove, as a function of epsilon: by quadrature over the first."""
    x = np.linspace(-12, 12 + shift, 40_001)
    here = (1 - rate) * norm.pdf(x) + rate * norm.pdf(x - shift)
    loss = np.log1p(rate * np.expm1(shift * x - shift**2 / 2))

    def second(epsilon):
        # L > epsilon for x > threshold; for all x where epsilon is below log(1 - q).
        excess = np.maximum(np.expm1(epsilon) / rate + 1, 0)
        with np.errstate(divide="ignore"):
            threshold = np.log(excess) / shift + shift / 2
        away, still = norm.sf(threshold - shift), norm.sf(threshold)
        return (1 - rate - np.exp(epsilon)) * still + rate * away

    return lambda epsilon: float(np.trapezoid(here * second(epsilon - loss), x))


@pytest.mark.parametrize(("shift", "rate"), [(1.0, 0.01), (2.0, 1e-4), (0.5, 0.2)])
def test_two_steps_are_composed_on_a_grid(shift, rate):
    steps = [(row(1 / shift, rate), 2)]
    above = one_sided_epsilon(steps, 1e-5)
    below = one_sided_epsilon(steps, 1e-5, up=False)
    delta = two_steps(shift, rate)
    assert delta(above) <= 1e-5 <= delta(below)
    assert delta(above * 0.998 - 1e-5) > 1e-5, "less than .2 % above"
    assert delta(below * 1.002 + 2e-3) < 1e-5


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize(("often", "c"), [(2, 4.0), (2, 10.0), (9, 2.0), (9, 10.0)])
def test_a_grid_is_above_and_below_a_gaussian_curve(relation, often, c):
    # 10 is far from the line of this delta.
    line = CompositionContour([(row(2.0, 1.0, relation), often)], c)
    line.aim(smooth=True)
    shift = math.sqrt(often) / 2 * (2 if relation == "replace" else 1)
    exact = float(epsilon_gdp(shift, 1e-6))
    steps = [(row(2.0, 1.0, relation), often)]
    above = grid_epsilon(steps, 1e-6, line.window(up=True), up=True)
    below = grid_epsilon(steps, 1e-6, line.window(up=False), up=False)
    assert exact <= above
    assert below <= exact
    if c < 10:
        assert above <= exact * 1.0001
        assert exact * 0.999 <= below


@pytest.mark.parametrize("often", [11, 600])
def test_rarely_drawn_rows_are_not_above_what_another_library_says(often):
    pytest.importorskip("dp_accounting")
    from dp_accounting.pld import privacy_loss_distribution as library

    steps = [(row(1.0, 1e-4), often)]
    law = library.from_gaussian_mechanism(
        1.0,
        sampling_prob=1e-4,
        value_discretization_interval=1e-4,
    )
    peer = law.self_compose(often).get_epsilon_for_delta(1e-5)
    assert 0.9 * peer < one_sided_epsilon(steps, 1e-5) <= peer


def test_losses_on_a_grid_keep_both_laws():
    law = IntervalLosses(row(1.0, 0.01), 12.0)
    chances, away = law.on_grid(1e-5, -1000, up=True)
    losses = (np.arange(chances.size) - 1000 - chances.size // 2) * 1e-5
    # P is kept, and Q but for what is moved up to be safe.
    assert chances.sum() + away == pytest.approx(1, abs=1e-12)
    assert (chances * np.exp(-losses)).sum() == pytest.approx(1, abs=1e-6)
    assert (chances * np.exp(-losses)).sum() < 1 + 1e-12
