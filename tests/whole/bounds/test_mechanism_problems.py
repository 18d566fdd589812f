"""Mechanisms to problems and back: the same number to 1e-12, or a refusal by the field's name."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from accounting.mechanism import Mechanism
from accounting.problems import (
    Clipped,
    Contraction,
    DescentToDelete,
    SampledDescent,
    Tracking,
)
from accounting.problems.training_history import Segment, TrainingHistory
from bounds.guo.problem import NewtonRemoval
from bounds.hf.problem import HessianFreeRelease
from bounds.olu.problem import Online
from bounds.safe.problem import Safe
from bounds.sglu.problem import Langevin
from simulators.data.dataset import Dataset
from simulators.erm.problem import Erm
from tests.examples import examples

DELTA = 1e-5
CURVED = {
    "lipschitz": st.floats(0.1, 10),
    "strong_convexity": st.floats(1e-3, 1.0),
    "smoothness": st.floats(1.0, 10.0),
}
STEPS = st.lists(
    st.tuples(st.floats(0, 1.2), st.floats(0, 3), st.sampled_from([0.0, 0.3, 1.0])),
    min_size=1,
    max_size=12,
).map(lambda rows: [*rows, (0.9, 0.5, 1.0)])


def contraction(rows, start, room):
    columns = ("contraction", "displacement", "noise")
    process = dict(zip(columns, np.array(rows).T, strict=True))
    return Contraction(process=process, initial_distance=start, diameter=room)


def langevin(b, J, m, K, target):
    return Langevin(
        n=b * J,
        batch_size=b,
        smoothness=1.0,
        strong_convexity=m,
        unlearn_epochs=K,
        target=target,
        learn_epochs=None if target == "stationary" else 3,
        radius=2.0 if target == "T" else math.inf,
    )


def online(pairs, mu, convention):
    pairs = sorted(pairs, key=lambda pair: pair[1])
    return Online(
        schedule={"index": [u for u, _ in pairs], "time": [tau for _, tau in pairs]},
        strong_convexity=mu,
        smoothness=3.0,
        lipschitz=2.0,
        diameter=2.0,
        convention=convention,
    )


def after_the_fact(model):
    rows = Dataset(np.array([[1.0], [2.0], [-1.0]]), np.array([1.0, -1.0, 1.0]), "three")
    return Erm(
        data=rows,
        model={"": np.array([model, 0.1])},
        removed={"": np.array([1])},
        loss="ridge",
        regularisation=1.0,
        intercept="penalised",
    )


def tracking(rounds, seen, **rest):
    return Tracking(rounds=rounds, releases=min(seen, rounds), **rest)


MAPS = {
    "contraction": st.builds(contraction, STEPS, st.floats(0, 3), st.sampled_from([math.inf, 2.0])),
    "langevin": st.builds(
        langevin,
        st.integers(1, 50),
        st.integers(1, 9),
        st.floats(0.05, 0.9),
        st.integers(1, 4),
        st.sampled_from(["stationary", "T", "T+K"]),
    ),
    "d2d": st.builds(
        DescentToDelete,
        n=st.integers(1, 10**6),
        steps=st.integers(1, 200),
        initial=st.floats(1e-3, 2),
        requests=st.none() | st.integers(1, 50),
        releases=st.integers(1, 9),
        **CURVED,
    ),
    "tracking": st.builds(
        tracking,
        st.integers(1, 9),
        st.integers(1, 4),
        n=st.integers(200, 10**6),
        size=st.integers(1, 20),
        steps=st.integers(1, 30),
        initial=st.floats(0, 2),
        **CURVED,
    ),
    "safe": st.builds(
        Safe,
        n=st.integers(200, 10**6),
        rounds=st.integers(1, 9),
        size=st.integers(1, 20),
        steps=st.integers(1, 30),
        gamma=st.none() | st.floats(0, 1),
        **CURVED,
    ),
    "recollection": st.builds(
        HessianFreeRelease, error=st.floats(1e-6, 10), releases=st.integers(1, 9)
    ),
    "erm": st.builds(after_the_fact, st.floats(-3, 3)),
    "newton-removal": st.builds(
        NewtonRemoval, residual=st.floats(1e-3, 10), releases=st.integers(1, 9)
    ),
    "online": st.builds(
        online,
        st.lists(st.tuples(st.integers(1, 5), st.integers(6, 30)), min_size=1, max_size=6),
        st.sampled_from([0.0, 0.5]),
        st.sampled_from("ABC"),
    ),
}
CONDITIONAL = {"recollection": "start: is assumed", "newton-removal": "start: is assumed"}
CONDITIONAL |= {"erm": "start: was computed from private rows"}


@pytest.mark.parametrize("name", MAPS)
def test_a_problem_of_maps_and_its_mechanism_have_one_epsilon(name):
    @examples(8, full=60)
    @given(problem=MAPS[name], sigma=st.floats(0.1, 10), data=st.data())
    def check(problem, sigma, data):
        place = None
        if problem.several:
            place = data.draw(st.integers(0, problem._shape[0] - 1))
        accountant = "exact"
        known = problem.certified(accountant, sigma, DELTA).epsilon
        expected = float(known if place is None else known[place])
        mechanism = Mechanism.of(problem, sigma, accountant, place)
        assert Mechanism.of_document(mechanism.document()) == mechanism
        assert mechanism.upper(DELTA) == pytest.approx(expected, rel=1e-12)
        back, factor = mechanism.problem()
        assert isinstance(back, Contraction)
        again = float(back.certified("exact", factor, DELTA).epsilon)
        assert again == pytest.approx(expected, rel=1e-12)
        found = [each for each in mechanism.conditions if each.startswith("start")]
        assert found == ([CONDITIONAL[name]] if name in CONDITIONAL else [])

    check()


SAMPLED = {
    "n": st.integers(30, 60),
    "steps": st.integers(2, 12),
    "unlearning_steps": st.integers(0, 4),
    "step_size": st.floats(0.01, 1),
    "smoothness": st.floats(0, 1),
    "ridge": st.sampled_from([0.0, 0.1]),
    "clip": st.sampled_from([1.0, 0.3, 2.0]),
}


@st.composite
def dp_sgd(draw):
    """Settings of all kinds of sampling, adjacency, reference, requests and gradients of rows."""
    fields = {name: draw(each) for name, each in SAMPLED.items()}
    fields["sampling"] = draw(st.sampled_from(["poisson", "fixed", "shuffled", "cyclic", "full"]))
    fields["adjacency"] = draw(st.sampled_from(["zero-out", "delete", "add", "replace"]))
    fields["batch_size"] = draw(st.integers(1, 25))
    poisson = fields["sampling"] == "poisson"
    if poisson and draw(st.booleans()):
        fields["rate"] = draw(st.floats(0.05, 1))
    elif poisson and fields["adjacency"] == "delete" and draw(st.booleans()):
        fields["unlearning_rate"] = draw(st.floats(0.05, 1))
    kind = draw(st.sampled_from(["plain", "reference", "requests", "rows", "gradient"]))
    if kind == "reference":
        fields |= {"reference": "stationary", "diameter": draw(st.floats(0.1, 3))}
    if kind == "requests":
        fields |= {
            "requests": draw(st.integers(2, 3)),
            "published": draw(st.sampled_from(["last", "all"])),
            "privacy_unit": draw(st.sampled_from(["all", "one"])),
        }
        fields["unlearning_steps"] = max(fields["unlearning_steps"], 1)
    if kind == "rows":
        fields["rows"] = draw(st.integers(2, 3))
    if kind == "gradient":
        part = draw(st.floats(0.1, 1))
        listed = [part * fields["clip"] * (1 + k % 2) / 2 for k in range(fields["steps"])]
        plain = draw(st.booleans())
        fields |= {"row_gradient": listed[0]} if plain else {"row_gradients": {"": listed}}
    try:
        return SampledDescent(**fields)
    except ValueError:
        assume(False)


def test_dp_sgd_comes_back_as_it_was():
    @examples(60, full=1000)
    @given(problem=dp_sgd(), sigma=st.floats(0.3, 5))
    def check(problem, sigma):
        mechanism = Mechanism.of(problem, sigma)
        assert Mechanism.of_document(mechanism.document()) == mechanism
        back, factor = mechanism.problem()
        assert isinstance(back, SampledDescent)
        assert factor == pytest.approx(sigma, rel=1e-12)
        # Equal settings have equal answers; they differ in the last bits at most.
        one, two = problem.setting, back.setting
        for name in ("eta", "profile", "rates", "rates_without", "present", "share"):
            np.testing.assert_allclose(getattr(one, name), getattr(two, name), rtol=1e-12)
        for name in ("n", "batch_size", "sampling", "adjacency", "reference", "ridge"):
            assert getattr(one, name) == getattr(two, name)
        assert one.diameter == pytest.approx(two.diameter, rel=1e-12)
        assert tuple(one.published) == tuple(two.published)

    check()


EXACT = {
    "poisson": {},
    "both published": {"published": "all"},
    "full": {"sampling": "full", "batch_size": 40, "adjacency": "replace"},
    "cyclic": {"sampling": "cyclic", "batch_size": 10},
    "shuffled": {"sampling": "shuffled", "batch_size": 10},
    "fixed": {"sampling": "fixed"},
    "stationary": {"reference": "stationary", "diameter": 1.0, "clip": 0.2},
}


@pytest.mark.parametrize("more", EXACT.values(), ids=EXACT)
def test_dp_sgd_and_its_mechanism_have_one_epsilon(more):
    usual = {"n": 40, "batch_size": 8, "steps": 6, "unlearning_steps": 3, "step_size": 0.5}
    problem = SampledDescent(**{**usual, "smoothness": 0.25, "ridge": 0.2, **more})
    mechanism = Mechanism.of(problem, 1.5)
    expected = float(problem.certified("exact", 1.5, DELTA).epsilon)
    back, sigma = mechanism.problem()
    assert float(back.certified("exact", sigma, DELTA).epsilon) == pytest.approx(
        expected, rel=1e-12
    )
    found = mechanism.truth(DELTA)
    assert found.upper <= expected * (1 + 1e-12)
    # Batches that are no rows of a public order may have a Gaussian bound that is less.
    assert problem.sampling == "fixed" or found.upper >= expected * (1 - 1e-12)
    assert found.lower <= found.upper


@st.composite
def clipped(draw):
    b, J = draw(st.integers(1, 20)), draw(st.integers(1, 4))
    learned = draw(st.none() | st.integers(1, 9))
    losses = draw(st.sampled_from(["any", "scalar"]))
    known = st.floats(0.1, 3)
    clip = draw(st.floats(0.1, 10))
    return Clipped(
        n=b * J,
        batch_size=b,
        learn_epochs=learned,
        clip=clip,
        step_size=draw(st.floats(0.01, 1)),
        weight_decay=draw(st.floats(0, 1)),
        radius=draw(st.floats(0.01, 10)),
        smoothness=draw(known if losses == "scalar" else st.none() | known),
        losses=losses,
        adjacency=draw(st.sampled_from(["delete", "replace"])),
        unlearn_epochs=draw(st.integers(0 if learned else 1, 5)),
        row_gradient=draw(st.none() | st.floats(0.1, 1).map(clip.__mul__)) if learned else None,
    )


def test_clipped_descent_and_its_mechanism_have_one_epsilon():
    @examples(12, full=200)
    @given(problem=clipped(), sigma=st.floats(0.3, 10))
    def check(problem, sigma):
        mechanism = Mechanism.of(problem, sigma)
        expected = float(problem.certified("least", sigma, DELTA).epsilon)
        back, factor = mechanism.problem()
        assert isinstance(back, Clipped)
        again = float(back.certified("least", factor, DELTA).epsilon)
        assert again == pytest.approx(expected, rel=1e-12)
        assert mechanism.upper(DELTA) <= expected * (1 + 1e-9)

    check()


REFUSED = {
    "a random order": (
        Langevin(n=4, batch_size=2, smoothness=1, strong_convexity=0.1, batch_order="random"),
        "batch_order must be fixed",
    ),
    "requests in sequence": (
        Langevin(n=4, batch_size=2, smoothness=1, strong_convexity=0.1, requests=2),
        "requests must be 1",
    ),
    "what b does besides": (
        NewtonRemoval(n=10**4, regularisation=1.0, dimension=10),
        "residual must be given",
    ),
    "no place": (Tracking(n=200, lipschitz=1, strong_convexity=0.1, smoothness=1), "place must"),
}


@pytest.mark.parametrize(("problem", "words"), REFUSED.values(), ids=REFUSED)
def test_what_no_mechanism_says_is_refused_by_the_field_of_the_problem(problem, words):
    with pytest.raises(ValueError, match=words):
        Mechanism.of(problem, 1.0)


PLAIN = Mechanism.of(
    SampledDescent(
        n=40, batch_size=8, steps=6, unlearning_steps=3, step_size=0.5, smoothness=0.25, ridge=0.1
    ),
    1.5,
)
CHANGES = {
    "noise of two kinds": ({"steps": "unequal"}, r"steps\[1\].noise.deviation"),
    "momentum": ({"steps.momentum": 0.9}, r"steps\[0\].momentum"),
    "Adam": ({"steps.optimizer": "adam"}, r"steps\[0\].optimizer"),
    "decay inside": ({"steps.clip.decay": "inside"}, r"steps\[0\].clip.decay"),
    "a divisor from n": ({"steps.divisor.is": "from_n"}, r"steps\[0\].divisor.is"),
    "a broken divisor": ({"steps.divisor.value": 8.5}, r"steps\[0\].divisor.value"),
    "public noise": ({"steps.noise.drawn": "public"}, r"steps\[0\].noise"),
    "repeated noise": ({"steps.noise.drawn": "repeated"}, r"steps\[0\].noise.drawn"),
    "every state": ({"released": "every"}, "released"),
    "a state in the middle": ({"released": [3]}, "released"),
    "a layer": ({"layers": ["BatchNorm"]}, r"layers\[0\]"),
    "a start": ({"start": 1.0}, "start"),
    "no n": ({"n": None}, "n must be otherwise"),
    "unknown": ({"steps.step_size": "unknown"}, r"steps\[0\].step_size"),
    "microbatches": ({"steps.clip.each": "microbatch"}, r"steps\[0\].clip.each"),
}


@pytest.mark.parametrize(("changes", "words"), CHANGES.values(), ids=CHANGES)
def test_what_no_problem_says_is_refused_by_its_path(changes, words):
    document = PLAIN.document()
    if changes == {"steps": "unequal"}:
        document["steps"][1]["noise"]["deviation"] *= 2
        other = Mechanism.of_document(document)
    elif changes == {"n": None}:
        del document["n"]
        other = Mechanism.of_document(document)
    else:
        other = PLAIN.with_values(changes)
    with pytest.raises(ValueError, match="^" + words):
        other.problem()


HISTORY = TrainingHistory((Segment(1.0, 1 / 23, 460),), n=1437, clip=2.0, divisor=62, dimension=650)
REST = {"step_size": 0.5, "weight_decay": 0.0, "released": "every", "requests": "oblivious"}


def test_a_history_is_a_mechanism_with_what_it_lacks():
    mechanism = Mechanism.of_history(HISTORY, **REST, name="opacus")
    (step,) = mechanism.steps
    assert (step.count, step.noise.deviation.value, step.clip.norm.value) == (460, 2.0, 2.0)
    assert (step.divisor.is_, step.divisor.beside.value) == ("from_n", 62)
    assert mechanism.name == "opacus"
    assert mechanism.upper(DELTA) == pytest.approx(6.17, abs=0.01)


@pytest.mark.parametrize("name", REST)
def test_what_a_history_lacks_has_to_be_given(name):
    rest = {key: value for key, value in REST.items() if key != name}
    with pytest.raises(ValueError, match=f"^{name} must be given"):
        Mechanism.of_history(HISTORY, **rest)


def test_what_a_history_knows_is_not_said_again():
    with pytest.raises(ValueError, match="clip must be left out"):
        Mechanism.of_history(HISTORY, **REST, clip=1.0)
