"""What is true of a mechanism: both sides of epsilon, each by a second route, and the verdicts."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm

from accounting.curves.gaussian import epsilon_gdp, mu_gdp
from accounting.mechanism import Mechanism
from accounting.mechanism._lower import epoch_lower, poisson_lower
from accounting.mechanism._truth import gaussian_bounds
from accounting.mechanism._two_sides import CROSSED
from accounting.sampled import SampledSGD, sampled_epsilon
from tests.core.accounting.mechanism_draws import document, gradients, maps
from tests.examples import examples

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "mechanisms"
DELTA = 1e-5


def read(name):
    return Mechanism.read(FOLDER / f"{name}.mechanism.json")


# What is claimed last in each worked example: its word, and what is needed, by other routes.
TOLD = {
    "wrong-flat-curve": ("false", float(epsilon_gdp(math.sqrt(2), DELTA))),
    "wrong-half-the-variance": ("false", 2.0),
    "wrong-no-noise": ("false", math.inf),
    "wrong-fixed-order": ("false", float(epsilon_gdp(1.0, DELTA))),
    "wrong-shuffled": ("false", 8.0026),
    "wrong-divisor-from-n": ("false", 133.757),
    "conditional-estimated": ("conditional", float(epsilon_gdp(1.31 / 4.888, DELTA))),
    "right-unlearned": ("holds", 0.94824),
    "right-training": ("holds", 10.716819654),
    "right-curve": ("holds", float(epsilon_gdp(math.sqrt(2), DELTA))),
    "right-published": ("holds", float(epsilon_gdp(0.3 / 2.4173, 1e-6))),
    "right-fixed-order": ("holds", float(epsilon_gdp(math.sqrt(3) / 4, DELTA))),
    "right-langevin": ("holds", 5.67400),
    "right-full-batches": ("holds", 0.916145),
    "right-both-published": ("holds", 5.4555),
    "right-shuffled": ("holds", 0.21334),
    "right-objective": ("holds", float(epsilon_gdp(1.5 / 4, 1e-4))),
}


@pytest.mark.parametrize("name", TOLD)
def test_a_worked_example_has_its_word_and_its_number(name):
    word, needed = TOLD[name]
    *before, last = read(name).verdicts()
    assert last.word == word
    assert last.comparison.lower == pytest.approx(needed, rel=1e-4)
    assert last.comparison.lower <= last.comparison.upper
    assert all(each.word == "holds" for each in before)
    assert bool(last.conditions) == (word == "conditional" or name == "wrong-divisor-from-n")


def test_the_examples_are_those_that_are_told():
    assert {path.name.removesuffix(".mechanism.json") for path in FOLDER.iterdir()} == set(TOLD)


DRAWS = {"maps": (maps(), 60, 2000), "gradients": (gradients(), 15, 400)}


@pytest.mark.parametrize("kind", DRAWS)
def test_the_two_sides_never_cross_and_no_claim_between_them_is_judged(kind):
    drawn, few, many = DRAWS[kind]

    @examples(few, full=many)
    @given(drawn=drawn, delta=st.sampled_from([1e-2, 1e-5, 1e-9]), factor=st.floats(0.1, 3))
    def check(drawn, delta, factor):
        plain = Mechanism.of_document(drawn)
        found = plain.truth(delta)
        assert 0 <= found.lower <= found.upper
        assert not any(each.startswith(CROSSED) for each in found.open_fields)
        ends = [found.lower, found.upper, found.lower * factor, found.upper * factor]
        claims = [{"epsilon": end, "delta": delta} for end in ends if math.isfinite(end)]
        for verdict in plain.edited(claims=claims).verdicts():
            claimed = verdict.comparison.claimed
            certain = found.upper <= claimed * (1 + 1e-9)
            assert (verdict.word in ("holds", "conditional")) == certain
            assert (verdict.word == "false") == (found.lower > claimed * (1 + 1e-9))
            if verdict.word == "holds":
                assert not plain.conditions
                assert all(constant.firm for _, constant in plain.constants)

    check()


# Every lower bound by a second route.


def mahalanobis(segments, start, ends):
    """mu of linear maps whose shifts all go one way, from the joint law of what is seen."""
    rows = [(c, d, s) for count, c, d, s in segments for _ in range(count)]
    mean, weights, means, loads = start, np.zeros(len(rows)), [], []
    for at, (c, d, s) in enumerate(rows):
        mean, weights = c * mean + d, weights * c
        weights[at] = s
        if at + 1 in ends:
            means.append(mean)
            loads.append(weights.copy())
    loads = np.array(loads)
    return math.sqrt(np.array(means) @ np.linalg.solve(loads @ loads.T, np.array(means)))


@given(
    segments=st.lists(
        st.tuples(st.integers(1, 3), st.floats(0.1, 1.1), st.floats(0.1, 2), st.floats(0.3, 2)),
        min_size=1,
        max_size=3,
    ),
    start=st.sampled_from([0.0, 0.7]),
    data=st.data(),
)
def test_linear_maps_need_what_their_joint_law_needs(segments, start, data):
    total = sum(count for count, *_ in segments)
    seen = data.draw(st.sampled_from(["last", "every"]) | st.just([1] if total > 1 else "last"))
    steps = [
        {
            "count": count,
            "contraction": c,
            "shift": d,
            "noise": {"deviation": s, "on": "iterate"},
        }
        for count, c, d, s in segments
    ]
    about = {"relation": {"adjacency": "maps"}, "start": start, "steps": steps}
    bounds = gaussian_bounds(Mechanism.of_document(document(released=seen, **about)))
    # All of one sign: what is seen together is known to be at least what linear maps show.
    ends = {total} if seen == "last" else set(range(1, total + 1))
    ends = {1, total} if isinstance(seen, list) else ends
    exact = mahalanobis(segments, start, ends)
    if seen == "last":
        assert bounds.lower == pytest.approx(exact, rel=1e-9)
    # The joint law of linear maps of one direction is one instance among others.
    assert bounds.lower <= bounds.upper
    assert exact <= bounds.upper * (1 + 1e-9)


def mixed(q, s, epsilon, *, back):
    """delta of one step: q N(1, s^2) + (1 - q) N(0, s^2) against N(0, s^2), by the level sets."""

    def loss(x):
        return math.log1p(q * math.expm1((2 * x - 1) / (2 * s * s)))

    def inside(a):
        return q * norm.sf(a - 1 / s) + (1 - q) * norm.sf(a), norm.sf(a)

    target = -epsilon if back else epsilon
    if back and target <= math.log1p(-q):
        return 0.0
    far = (epsilon + 30) * s * s + 30
    point = brentq(lambda x: loss(x) - target, -far, far, xtol=1e-13) / s
    first, second = inside(point)
    if back:
        return (1 - second) - math.exp(epsilon) * (1 - first)
    return first - math.exp(epsilon) * second


@pytest.mark.parametrize("sigma", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("rate", [0.01, 0.2, 0.9])
def test_one_sampled_step_needs_what_its_level_sets_need(sigma, rate):
    one = SampledSGD(
        n=100, batch_size=1, steps=1, unlearning_steps=0, step_size=1.0, smoothness=0.0, rate=rate
    )
    found = poisson_lower(one, sigma, DELTA)
    exact = 0.0
    for back in (False, True):
        if mixed(rate, sigma, 0.0, back=back) > DELTA:
            exact = max(
                exact,
                brentq(lambda e, b=back: mixed(rate, sigma, e, back=b) - DELTA, 0, 60, xtol=1e-12),
            )
    assert found <= exact * (1 + 1e-9)
    assert found >= exact - 2e-3


@pytest.mark.parametrize("adjacency", ["zero", "replace"])
def test_two_sampled_steps_lie_between_both_sides(adjacency):
    """The joint law of what two steps show, by a sum over a fine grid."""
    sigma, rate, delta = 1.2, 0.3, 1e-3
    grid = np.linspace(-12, 12, 961)
    cell = (grid[1] - grid[0]) ** 2

    def law(moved):
        one = rate * norm.pdf(grid, moved, sigma) + (1 - rate) * norm.pdf(grid, 0, sigma)
        return np.outer(one, one)

    with_row, without = law(1.0), law(-1.0 if adjacency == "replace" else 0.0)

    def excess(epsilon):
        sides = (with_row - math.exp(epsilon) * without, without - math.exp(epsilon) * with_row)
        return max(float(np.maximum(side, 0).sum()) * cell for side in sides) - delta

    exact = brentq(excess, 0.0, 20.0, xtol=1e-9)
    batches = {"drawn": "poisson", "rate": rate}
    changes = {"steps.batches": batches, "steps.count": 2, "steps.noise.deviation": sigma}
    found = training("full", **changes, **{"relation.adjacency": adjacency}).truth(delta)
    assert found.lower <= exact * (1 + 1e-5)
    assert found.upper >= exact * (1 - 1e-5)
    assert found.upper - found.lower < 2e-3


@pytest.mark.parametrize("rate", [0.05, 0.6, 1.0])
def test_one_sampled_step_with_another_row_needs_what_linear_losses_need(rate):
    sizes = {"n": 100, "batch_size": 1, "steps": 1, "unlearning_steps": 0}
    one = SampledSGD(**sizes, step_size=1.0, smoothness=0.0, rate=rate, adjacency="replace")
    exact = sampled_epsilon(one, 1.5, DELTA, "lower")
    assert exact - 2e-3 <= poisson_lower(one, 1.5, DELTA) <= exact * (1 + 1e-9)


@pytest.mark.parametrize("pair", [(1.0, 0.0), (2.0, 1.0), (2.0, 0.0)], ids=str)
@pytest.mark.parametrize(("sigma", "batches"), [(0.6, 2.0), (1.5, 2.0), (0.6, 4.0)])
def test_two_batches_of_an_epoch_need_no_more_than_their_law(sigma, batches, pair):
    grid = np.linspace(-8 * sigma, 2 + 8 * sigma, 801)
    cell = (grid[1] - grid[0]) ** 2

    def density(moved):
        plain, there = norm.pdf(grid, 0, sigma), norm.pdf(grid, moved, sigma)
        one = np.outer(there, plain) + np.outer(plain, there)
        return (one + (batches - 2) * np.outer(plain, plain)) / batches

    one, two = (density(moved) for moved in pair)

    def delta(epsilon):
        sides = (one - math.exp(epsilon) * two, two - math.exp(epsilon) * one)
        return max(float(np.maximum(side, 0).sum()) * cell for side in sides)

    exact = brentq(lambda e: delta(e) - 1e-3, 0.0, 40.0, xtol=1e-6)
    found = epoch_lower(2, batches, sigma, 1e-3, [pair])
    assert 0.75 * exact <= found <= exact * (1 + 1e-3)


def training(drawn, **changes):
    """Four steps of clipped gradients with noise 2 on the sum, every state seen."""
    step = {
        "count": 4,
        "sees": True,
        "batches": {"drawn": drawn} | ({} if drawn == "full" else {"size": 5}),
        "clip": {"norm": 1.0, "each": "row"},
        "divisor": {"value": 5, "is": "constant"},
        "noise": {"deviation": 2.0, "on": "sum"},
        "step_size": 0.5,
    }
    rest = {"relation": {"adjacency": "zero"}, "n": 10, "released": "every"}
    made = Mechanism.of_document(document(steps=[step], **rest))
    return made.with_values(changes)


GAUSSIAN = {
    "full": ("full", {}, math.sqrt(4) / 2),
    "cyclic: two epochs": ("cyclic", {}, math.sqrt(2) / 2),
    "replaced": ("full", {"relation.adjacency": "replace"}, 2 * math.sqrt(4) / 2),
    "noise on the mean": ("full", {"steps.noise": {"deviation": 0.4, "on": "mean"}}, 1.0),
    "noise on the state": ("full", {"steps.noise": {"deviation": 0.2, "on": "iterate"}}, 1.0),
    "two rows": ("full", {"relation.rows": 2}, 2.0),
    "three groups": ("full", {"steps.clip": {"norm": 1, "each": "group", "groups": 3}}, 3**0.5),
    "a clip of 2": ("full", {"steps.clip.norm": 2.0}, 2.0),
    "momentum": ("full", {"steps.momentum": 0.9}, 1.0),
    "half the clip": ("full", {"steps.row_gradient": 0.5}, 0.5),
}


@pytest.mark.parametrize(("drawn", "changes", "mu"), GAUSSIAN.values(), ids=GAUSSIAN)
def test_public_batches_are_a_gaussian_mechanism(drawn, changes, mu):
    found = training(drawn, **changes).truth(DELTA)
    assert found.lower == pytest.approx(float(epsilon_gdp(mu, DELTA)), rel=1e-8)
    assert found.upper == pytest.approx(found.lower, rel=1e-8)


def test_a_ball_takes_something_from_what_linear_losses_show():
    found = training("full", **{"steps.radius": 3.0}).truth(DELTA)
    assert found.lower == 0.0
    assert found.upper == pytest.approx(float(epsilon_gdp(1.0, DELTA)), rel=1e-8)


def test_a_start_is_hidden_once():
    """The first state that is seen tells of it, and the next one, given that, nothing more."""
    step = {"contraction": 1.0, "shift": 0.0, "noise": {"deviation": 1.0, "on": "iterate"}}
    about = {"relation": {"adjacency": "maps"}, "start": 1.0}
    seen = document(steps=[{"count": 2, **step}], released=[1], **about)
    bounds = gaussian_bounds(Mechanism.of_document(seen))
    assert bounds.lower == pytest.approx(1.0, rel=1e-9)
    assert bounds.upper == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize("c", [1e-120, 1e-250])
def test_noise_that_is_contracted_to_nothing_is_still_noise(c):
    steps = [
        {
            "count": 1,
            "contraction": 1.0,
            "shift": 1.0,
            "noise": {"deviation": 1.0, "on": "iterate"},
        },
        {"count": 2, "contraction": c, "shift": 0.0, "noise": {"deviation": 0.0, "on": "iterate"}},
    ]
    plain = document(relation={"adjacency": "maps"}, steps=steps, released="last")
    bounds = gaussian_bounds(Mechanism.of_document(plain))
    assert bounds.lower <= 1.0 <= bounds.upper * (1 + 1e-9)


def test_noise_that_others_know_takes_nothing_back():
    """Further steps whose noise is known leave what the training alone costs."""
    kept = training("full", **{"steps.decay": 0.5}).document()
    late = {**kept["steps"][0], "sees": False}
    late["noise"] = {**late["noise"], "drawn": "public"}
    about = {"losses": "linear", "released": "last"}
    last = Mechanism.of_document({**kept, "steps": [kept["steps"][0], late], **about})
    assert last.upper(DELTA) == pytest.approx(float(epsilon_gdp(1.0, DELTA)), rel=1e-8)


def test_batches_of_several_kinds_are_a_gaussian_mechanism_at_most():
    """Two epochs in one order, of whose four steps a row sees two, and then two full batches."""
    kept = training("cyclic").document()
    late = {**kept["steps"][0], "count": 2, "batches": {"drawn": "full"}}
    mixed_batches = Mechanism.of_document({**kept, "steps": [*kept["steps"], late]})
    found = mixed_batches.truth(DELTA)
    assert found.upper == pytest.approx(float(epsilon_gdp(math.sqrt(6) / 2, DELTA)), rel=1e-8)
    assert found.lower == 0.0


ENDLESS = {
    "no noise": {"steps.noise.deviation": 0.0},
    "noise that others know": {"steps.noise.drawn": "public"},
    "no clip": {"steps.clip": {"each": "nothing"}},
}


@pytest.mark.parametrize("changes", ENDLESS.values(), ids=ENDLESS)
def test_what_hides_nothing_is_infinite_where_the_row_is_drawn_often_enough(changes):
    found = training("full", **changes).truth(DELTA)
    assert (found.lower, found.upper) == (math.inf, math.inf)
    rare = {"drawn": "poisson", "rate": 1e-7}
    seldom = training("full", **changes, **{"steps.batches": rare}).truth(DELTA)
    assert (seldom.lower, seldom.upper) == (0.0, math.inf)


def test_one_noise_for_several_steps_is_infinite_where_they_differ():
    repeated = {"steps.noise.drawn": "repeated"}
    assert training("cyclic", **repeated).lower(DELTA) == math.inf
    # Linear losses in full batches: every step shows the same sum.
    linear = training("full", **repeated).edited(losses="linear")
    assert (linear.lower(DELTA), linear.upper(DELTA)) == (0.0, math.inf)


OPEN = {
    "a layer": ({"layers": ["BatchNorm"]}, "layers"),
    "outputs": ({"outputs": 2}, "outputs"),
    "a start": ({"start": 1.0}, "start"),
    "a divisor of the batch": ({"relation.adjacency": "delete", "steps.divisor.is": "batch"}, "st"),
    "maps of rows": ({"relation.adjacency": "maps"}, "relation.adjacency"),
}


@pytest.mark.parametrize(("changes", "field"), OPEN.values(), ids=OPEN)
def test_what_nothing_of_ours_speaks_of_is_open_by_its_field(changes, field):
    found = training("full", **changes).truth(DELTA)
    assert found.upper == math.inf
    assert found.open_fields[0].startswith(field)
    assert found.lower < math.inf


def test_adam_is_certified_and_never_refuted():
    adam = training("full", **{"steps.optimizer": "adam"}).truth(DELTA)
    assert adam.lower == 0.0
    assert adam.upper == pytest.approx(float(epsilon_gdp(1.0, DELTA)), rel=1e-8)


def test_a_divisor_that_follows_n_counts_only_where_n_does():
    changes = {"steps.divisor": {"value": 5, "is": "from_n", "beside": 4.5}}
    zero = training("full", **changes)
    assert zero.upper(DELTA) == pytest.approx(float(epsilon_gdp(1.0, DELTA)), rel=1e-8)
    gone = zero.with_values({"relation.adjacency": "delete"}).edited(dimension=10**4)
    assert gone.lower(DELTA) > 100
    assert gone.upper(DELTA) == math.inf
    # Noise that is added after the division is as wide in both runs.
    mean = gone.with_values({"steps.noise": {"deviation": 0.4, "on": "mean"}})
    assert mean.lower(DELTA) < 10


def test_requests_that_depend_on_models_count_the_model_after_training():
    quiet = {"drawn": "poisson", "size": 5}
    kept = training("full", **{"steps.batches": quiet}).document()
    late = {**kept["steps"][0], "sees": False, "count": 3}
    about = {"steps": [kept["steps"][0], late], "losses": "scalar", "smoothness": 0.25}
    plain = Mechanism.of_document({**kept, **about, "released": "last"})
    adaptive = plain.edited(requests="adaptive")
    both = plain.edited(released=[4])
    assert plain.upper(DELTA) < adaptive.upper(DELTA)
    assert adaptive.upper(DELTA) == pytest.approx(both.upper(DELTA), rel=1e-9)
    assert adaptive.lower(DELTA) == plain.lower(DELTA)


# Claims.


def claimed(mechanism, **claim):
    (verdict,) = mechanism.edited(claims=[claim]).verdicts()
    return verdict


CURVE = training("full")  # mu = 1
FORMS = {
    "mu": ({"mu": 1.0}, {"mu": 0.99}, "mu"),
    "slope": ({"slope": 0.5}, {"slope": 0.49}, "slope"),
    "order": ({"order": 4, "divergence": 2.0}, {"order": 4, "divergence": 1.0}, "divergence"),
}


@pytest.mark.parametrize(("true", "wrong", "scale"), FORMS.values(), ids=FORMS)
def test_a_claim_is_compared_on_its_own_scale(true, wrong, scale):
    process = Mechanism.of_document(
        document(
            relation={"adjacency": "maps"},
            steps=[
                {
                    "count": 1,
                    "contraction": 1.0,
                    "shift": 1.0,
                    "noise": {"deviation": 1.0, "on": "iterate"},
                }
            ],
            released="last",
        )
    )
    for mechanism in (process, CURVE):
        found = claimed(mechanism, **true)
        assert (found.word, found.comparison.scale) == ("holds", scale)
    assert claimed(process, **wrong).word == "false"
    # Of gradient steps an epsilon that the claim would imply is needed to refute it.
    tenth = {name: value / 10 for name, value in wrong.items() if name != "order"}
    assert claimed(CURVE, **{**wrong, **tenth}).word == "false"


def test_a_rounded_number_stands_for_what_is_displayed_so():
    true = float(epsilon_gdp(1.0, DELTA))  # 4.3772
    assert claimed(CURVE, epsilon=4.377, delta=DELTA).word == "false"
    assert claimed(CURVE, epsilon=4.377, delta=DELTA, rounding=0.0005).word == "holds"
    assert claimed(CURVE, epsilon=4.36, delta=DELTA, rounding=0.005).word == "false"
    assert claimed(CURVE, epsilon=true, delta=DELTA).word == "holds"


def test_without_a_delta_gaussian_noise_has_no_epsilon():
    assert claimed(CURVE, epsilon=100.0, delta=0.0).word == "false"
    unseen = training("full", **{"steps.sees": False})
    assert claimed(unseen, epsilon=0.0, delta=0.0).word == "holds"


def test_a_draft_is_open_with_what_is_unknown():
    draft = training("full", **{"steps.noise.deviation": "unknown"})
    found = claimed(draft, epsilon=0.001, delta=DELTA)
    assert found.word == "open"
    assert found.conditions == ("steps[0].noise.deviation: unknown",)


def test_conditions_keep_a_claim_from_holding():
    uncertain = {"value": 1.0, "origin": "rows", "by": "a quantile"}
    found = claimed(training("full", **{"steps.clip.norm": uncertain}), epsilon=9, delta=DELTA)
    assert found.word == "conditional"
    assert found.conditions == ("steps[0].clip.norm: was computed from private rows by a quantile",)
    tuned = claimed(CURVE.edited(tuned_on_rows=["step_size"]), epsilon=9, delta=DELTA)
    assert tuned.word == "conditional"
    seeded = training("full", **{"steps.noise.seed": "chosen"})
    assert claimed(seeded, epsilon=9, delta=DELTA).word == "conditional"


def test_the_middle_is_open_with_both_numbers():
    fixed = training("fixed")
    found = fixed.truth(DELTA)
    between = (found.lower + found.upper) / 2
    verdict = claimed(fixed, epsilon=between, delta=DELTA)
    assert verdict.word == "open"
    assert verdict.comparison.lower < between < verdict.comparison.upper


def test_a_mu_that_is_displayed_is_the_curve_that_it_says():
    at = float(mu_gdp(4.377178, DELTA))
    assert at == pytest.approx(1.0, rel=1e-6)
    assert gaussian_bounds(CURVE).upper == pytest.approx(1.0, rel=1e-9)
