"""Privacy problems as values: least noise certifies and less does not, against other routes."""

import math
from dataclasses import dataclass
from typing import ClassVar

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bounds
from accounting.contraction.noisy_contraction import pabi_mu
from accounting.curves.gaussian import epsilon_gdp, mu_gdp
from accounting.problems import (
    Clipped,
    Contraction,
    DescentToDelete,
    Problem,
    SampledDescent,
    Target,
    Tracking,
)
from accounting.problems.options import natural, positive
from bounds.guo.problem import NewtonRemoval
from bounds.hf.problem import HessianFreeRelease
from bounds.olu.problem import Online
from bounds.safe.problem import Safe
from bounds.sglu.problem import Langevin
from tests.examples import examples

TARGETS = st.builds(
    Target, st.floats(1e-3, 20), st.floats(-60, -0.5).map(lambda power: float(10.0**power))
)
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
COLUMNS = ("contraction", "displacement", "noise")
MADE = {
    "contraction": st.builds(
        lambda rows, start, room: Contraction(
            process=dict(zip(COLUMNS, np.array(rows).T, strict=True)),
            initial_distance=start,
            diameter=room,
        ),
        STEPS,
        st.floats(0, 3),
        st.sampled_from([math.inf, 2.0]),
    ),
    "tracking": st.builds(
        lambda rounds, seen, **rest: Tracking(rounds=rounds, releases=min(seen, rounds), **rest),
        st.integers(1, 9),
        st.integers(1, 4),
        n=st.integers(200, 10**6),
        size=st.integers(1, 20),
        steps=st.integers(1, 30),
        initial=st.floats(0, 2),
        **CURVED,
    ),
    "d2d": st.builds(
        DescentToDelete,
        n=st.integers(1, 10**6),
        steps=st.integers(1, 200),
        initial=st.floats(0, 2),
        requests=st.none() | st.integers(1, 50),
        **CURVED,
    ),
    "clipped": st.builds(
        lambda b, J, T, **rest: Clipped(n=b * J, batch_size=b, learn_epochs=T, **rest),
        st.integers(1, 20),
        st.integers(1, 4),
        st.none() | st.integers(1, 9),
        clip=st.floats(0.1, 10),
        step_size=st.floats(0.01, 1),
        weight_decay=st.floats(0, 1),
        radius=st.floats(0.01, 10),
        smoothness=st.none() | st.floats(0.1, 3),
        unlearn_epochs=st.integers(1, 5),
    ),
    "safe": st.builds(
        Safe,
        n=st.integers(200, 10**6),
        rounds=st.integers(1, 9),
        size=st.integers(0, 20),
        steps=st.integers(1, 30),
        gamma=st.none() | st.floats(0, 1),
        **CURVED,
    ),
    "langevin": st.builds(
        lambda b, J, m, K, S: Langevin(
            n=b * J, batch_size=b, smoothness=1.0, strong_convexity=m, unlearn_epochs=K, requests=S
        ),
        st.integers(1, 50),
        st.integers(1, 50),
        st.floats(0.01, 1.0),
        st.integers(1, 5),
        st.integers(1, 4),
    ),
    "online": st.builds(
        lambda pairs, mu, convention: Online(
            schedule={"index": [u for u, _ in pairs], "time": [tau for _, tau in pairs]},
            strong_convexity=mu,
            smoothness=3.0,
            lipschitz=2.0,
            diameter=2.0,
            convention=convention,
        ),
        st.lists(st.tuples(st.integers(1, 5), st.integers(6, 30)), min_size=1, max_size=6).map(
            lambda pairs: sorted(pairs, key=lambda pair: pair[1])
        ),
        st.sampled_from([0.0, 0.5]),
        st.sampled_from("ABC"),
    ),
    "recollection": st.builds(
        HessianFreeRelease,
        step_size=st.floats(1e-3, 0.5),
        epochs=st.integers(2, 9),
        n=st.integers(2, 1000),
        clip=st.floats(0.1, 10),
        strong_convexity=st.floats(-0.5, 1.0),
        smoothness=st.floats(1.0, 2.0),
        hessian_lipschitz=st.floats(0.1, 2),
        releases=st.integers(1, 20),
    ),
    "newton-removal": st.builds(
        NewtonRemoval,
        n=st.integers(10**4, 10**6),
        removals=st.integers(1, 10),
        regularisation=st.floats(0.05, 10),
        dimension=st.integers(1, 1000),
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_the_recommended_noise_certifies_and_less_does_not(name):
    @examples(12, full=30)
    @given(problem=MADE[name], target=TARGETS)
    def check(problem, target):
        found = problem.least_noise(target)
        for accountant in problem.preferred:
            answer = found.by[accountant]
            assert answer.valid or not np.isfinite(answer.noise).all()
        if found.recommended is None:
            return
        best = found.best
        back = problem.certified(best.accountant, best.noise, target.delta)
        assert back.epsilon.max() <= target.epsilon
        # What is raised for rounding's sake, or is next to none, is not the least.
        least = best.noise.max() > 1e-290 and "raised_from" not in best.details
        if name == "newton-removal" or not least:
            return
        less = problem.certified(best.accountant, best.noise * (1 - 1e-9), target.delta)
        assert less.epsilon.max() > target.epsilon

    check()


@given(rows=STEPS, start=st.floats(0, 3))
def test_a_contraction_is_its_minorant(rows, start):
    c, delta, s = np.array(rows).T
    found = Contraction(
        process={"contraction": c, "displacement": delta, "noise": s}, initial_distance=start
    )
    mu = pabi_mu(c, delta, s, start)
    assert found.certified("exact", 1.0, 1e-5).epsilon == epsilon_gdp(mu, 1e-5)
    twice = found.certified("exact", 2.0, 1e-5).epsilon
    assert twice == pytest.approx(float(epsilon_gdp(mu / 2, 1e-5)), rel=1e-9)
    sigma = found.noise("exact", Target(1.0, 1e-5))
    assert sigma.noise == pytest.approx(mu / float(mu_gdp(1.0, 1e-5)), rel=1e-9)
    np.testing.assert_allclose(sigma.deviation, sigma.noise * s, rtol=1e-15)


def test_langevin_is_a_contraction():
    """The exact accountant of T + K epochs, from its steps: the last batch is the worst."""
    J, T, K, eta, m, b = 4, 3, 2, 1.0, 0.1, 3
    known = Langevin(
        n=J * b,
        batch_size=b,
        smoothness=1,
        strong_convexity=m,
        target="T+K",
        learn_epochs=T,
        unlearn_epochs=K,
    )
    steps = (T + K) * J
    shift = np.zeros(steps)
    shift[: T * J][J - 1 :: J] = 2 * eta / b
    process = {
        "contraction": np.full(steps, 1 - eta * m),
        "displacement": shift,
        "noise": np.full(steps, math.sqrt(2 * eta)),
    }
    target = Target(1.0, 1e-5)
    by_steps = Contraction(process=process).least_noise(target).best
    sigma = known.noise("exact", target)
    assert by_steps.noise == pytest.approx(float(sigma.noise), rel=1e-9)
    assert by_steps.deviation[0] == pytest.approx(float(sigma.deviation), rel=1e-9)


def test_noise_that_comes_too_early_hides_nothing():
    process = {"contraction": [0.5, 0.5], "displacement": [0.0, 1.0], "noise": [1.0, 0.0]}
    found = Contraction(process=process)
    answers = found.least_noise(Target(1.0, 1e-5))
    assert answers.by["exact"].noise == math.inf
    assert answers.recommended is None
    with pytest.raises(ValueError, match="must certify an answer"):
        assert answers.best
    assert found.certified("exact", 5.0, 1e-5).epsilon == math.inf
    process["displacement"] = [0.0, 0.0]
    assert Contraction(process=process).least_noise(Target(0.0, 1e-5)).best.noise == 0


@given(
    steps=st.integers(1, 60),
    initial=st.floats(0, 3),
    requests=st.integers(1, 30),
    m=st.floats(0.01, 1.0),
    M=st.floats(0.1, 3),
    n=st.integers(1, 10**5),
)
def test_descent_to_delete_is_its_recursion(steps, initial, requests, m, M, n):
    given_ = {"n": n, "lipschitz": M, "strong_convexity": m, "smoothness": 1.0, "steps": steps}
    found = DescentToDelete(**given_, initial=initial, requests=requests).facts["distance"]
    with mpmath.workdps(40):
        left = ((1 - mpmath.mpf(m)) / (1 + mpmath.mpf(m))) ** steps
        moved = 2 * mpmath.mpf(M) / (mpmath.mpf(m) * n)
        e, largest = mpmath.mpf(initial), mpmath.mpf(0)
        for _ in range(requests):
            e = left * (e + moved)
            largest = max(largest, e)
        true = largest + mpmath.mpf(initial)
        assert true <= found
        assert found <= true * (1 + mpmath.mpf(10) ** -9) + mpmath.mpf(10) ** -14
    without_end = DescentToDelete(**given_, initial=initial).facts["distance"]
    assert without_end >= found * (1 - 1e-12)


def test_one_model_is_not_ten():
    """At noise for one model, ten have sqrt(10) times its mu; each problem says which it means."""
    target = Target(1.0, 1e-5)
    shared = {**FOLLOWED, "steps": 200, "initial": 1e-6}
    settings = {
        DescentToDelete: shared,
        Tracking: {**shared, "steps": 5},
        HessianFreeRelease: {"error": 0.1},
        NewtonRemoval: {"residual": 0.1},
    }
    for kind, given_ in settings.items():
        one, ten = kind(**given_), kind(**given_, releases=10)
        sigma = one.noise("exact", target).noise
        together = epsilon_gdp(math.sqrt(10) * mu_gdp(1.0, 1e-5), 1e-5)
        assert together == pytest.approx(3.62, abs=0.005)
        assert ten.certified("exact", sigma, 1e-5).epsilon == pytest.approx(together, rel=1e-9)
        assert ten.noise("exact", target).noise == pytest.approx(math.sqrt(10) * sigma, rel=1e-9)
        assert one.assumptions.released.value == "one"
        assert "seen once" in one.assumptions.released.means
        assert ten.assumptions.released.value == "several"


def test_descent_to_delete_against_the_closed_form():
    """Retrained models as close as I steps bring them: the tight noise of sglu, Theorem L.1."""
    n, m, L, M, steps = 60000, 0.01, 0.51, 1.0, 200
    kept = ((L - m) / (L + m)) ** steps * 2 * M / (m * n)
    problem = DescentToDelete(
        n=n, lipschitz=M, strong_convexity=m, smoothness=L, steps=steps, initial=kept
    )
    tight = bounds.get("sglu.thml.1")("tight", I=steps, epsilon=1, delta=1e-5, n=n, m=m, L=L, M=M)
    assert problem.noise("exact", Target(1, 1e-5)).noise == pytest.approx(float(tight), rel=1e-9)


FOLLOWED = {"n": 6000, "lipschitz": 1, "strong_convexity": 0.1, "smoothness": 0.6}


@pytest.mark.parametrize(
    "make",
    [
        lambda steps: Tracking(**FOLLOWED, rounds=4, size=9, steps=steps, initial=0.3),
        lambda steps: DescentToDelete(**FOLLOWED, steps=steps, initial=1e-3),
    ],
    ids=["tracking", "descent to delete"],
)
@pytest.mark.parametrize("sigma", [0.005, 0.02, 0.3])
def test_the_planned_steps_are_enough_and_fewer_are_not(make, sigma):
    target = Target(1, 1e-5)
    steps = make(1).plan(sigma, target).best.details["steps"]
    assert make(steps).noise("exact", target).noise.max() <= sigma
    if steps > 1:
        assert make(steps - 1).noise("exact", target).noise.max() > sigma


def test_what_no_steps_reach_is_refused():
    problem = DescentToDelete(**FOLLOWED, initial=1.0)
    with pytest.raises(ValueError, match="sigma must be larger where no number of steps is enough"):
        problem.plan(0.1, Target(1, 1e-5))


def test_targets_and_unread_fields_are_refused_by_name():
    problem = Tracking(**FOLLOWED)
    with pytest.raises(ValueError, match="delta must be given"):
        problem.noise("exact", Target(1))
    with pytest.raises(ValueError, match="accountant must be one of 'exact'"):
        problem.noise("best", Target(1, 1e-5))
    with pytest.raises(ValueError, match="rounds must not be given with sizes"):
        Tracking(**FOLLOWED, sizes=[1, 2], rounds=3)
    with pytest.raises(ValueError, match="learn_epochs must not be given without target"):
        Langevin(n=4, smoothness=1, strong_convexity=0.1, learn_epochs=3)
    with pytest.raises(ValueError, match="sigma must not be given with a target"):
        Safe(**FOLLOWED).plan(1.0, Target(1, 1e-5))
    with pytest.raises(ValueError, match="sigma must be one number or 20 numbers"):
        problem.privacy([1.0, 2.0], 1e-5)
    with pytest.raises(ValueError, match=r"epsilon must be in \(0"):
        Target(0.0)


def test_every_problem_says_everything_that_is_asked_of_it():
    for kind in (
        Clipped,
        Contraction,
        Tracking,
        DescentToDelete,
        Langevin,
        Online,
        HessianFreeRelease,
        Safe,
        NewtonRemoval,
    ):
        assert issubclass(kind, Problem)
        assert kind.__doc__.splitlines()[0].endswith(".")
        assert set(kind.preferred) <= set(kind.accountants)
        assert set(kind.claims or ()) <= set(kind.accountants)


@dataclass(frozen=True, kw_only=True, eq=False)
class Toy(Problem):
    """A third-party problem: noise that is short by `short` of what its accountant asks."""

    algorithm = "toy"
    accountants: ClassVar = {"exact": "the Gaussian mechanism"}

    releases: ClassVar[int] = 1

    distance: float = positive("How far apart.")
    short: float = natural("Share of the noise that is left out.", 0.0)

    _assumptions = DescentToDelete._assumptions

    def _noise(self, accountant, target):
        return (1 - self.short) * self.distance / mu_gdp(target.epsilon, target.delta) * (1 + 1e-12)

    def _claim(self, accountant, noise, delta):
        return epsilon_gdp(self.distance / noise, delta)


def test_a_problem_of_a_third_party_needs_its_fields_and_two_functions():
    target = Target(1.0, 1e-5)
    best = Toy(distance=3.0).least_noise(target).best
    assert best.noise == pytest.approx(3 / float(mu_gdp(1.0, 1e-5)))
    assert best.apply.endswith("in every coordinate, to the published model")
    assert Toy(distance=3.0).privacy(best.noise, 1e-5).recommended == "exact"
    with pytest.raises(ValueError, match="distance must be > 0"):
        Toy(distance=0.0)


def test_what_does_not_keep_the_target_is_not_recommended():
    found = Toy(distance=3.0, short=0.5).least_noise(Target(1.0, 1e-5))
    assert found.by["exact"].valid is False
    assert found.recommended is None


def test_no_noise_hides_nothing():
    problem = Langevin(n=4, smoothness=1, strong_convexity=0.1)
    assert problem._claim("exact", np.zeros(()), 1e-5) == math.inf
    with pytest.raises(ValueError, match="sigma must be > 0"):
        problem.certified("exact", 0.0, 1e-5)
    hidden = Langevin(n=4, smoothness=1, strong_convexity=1)
    assert hidden.noise("exact", Target(0.0, 1e-5)).noise == 0


def test_a_field_that_is_refused_late_is_named_without_the_call():
    schedule = {"index": [1], "time": [3]}
    bounds = {"strong_convexity": 1.0, "smoothness": 2.0, "lipschitz": 1.0, "diameter": 2.0}
    problem = Online(schedule=schedule, **bounds, step_size=lambda t: 0.0 * t)
    with pytest.raises(ValueError, match=r"^step_size must be > 0 and finite, got 0"):
        problem.least_noise(Target(1.0, 1e-5))


@pytest.mark.parametrize("clip", [0.1, 5.0])
def test_a_domain_counts_in_clips(clip):
    """Weights in units of the clip: the same steps, on a domain of as many clips."""

    def setting(**units):
        steps = {"n": 40, "batch_size": 8, "steps": 6, "unlearning_steps": 3, "ridge": 0.2}
        return SampledDescent(
            **steps, step_size=0.5, smoothness=0.25, reference="stationary", **units
        )

    found = setting(clip=clip, diameter=2 * clip).certified("exact", 2.0, 1e-5)
    plain = setting(clip=1.0, diameter=2.0).certified("exact", 2.0, 1e-5)
    assert found.epsilon == pytest.approx(float(plain.epsilon), rel=1e-9)


CONSTANTS = {"lipschitz": 2.0, "strong_convexity": 0.1, "smoothness": 1.0}
MANY_ROWS = {"n": 10**6, "batch_size": 100, **CONSTANTS}
FAR_BEYOND_ROUNDING = {
    "d2d": (DescentToDelete(n=100, steps=10**6, initial=0.0, **CONSTANTS), 20.0),
    "tracking": (Tracking(n=100, rounds=2, steps=10**5, **CONSTANTS), 20.0),
    "langevin": (Langevin(**MANY_ROWS), 20.0),
    "langevin in a ball": (Langevin(radius=3, **MANY_ROWS), 3.0),
}


@pytest.mark.parametrize("name", FAR_BEYOND_ROUNDING)
def test_no_noise_is_below_the_rounding_of_what_it_is_added_to(name):
    problem, length = FAR_BEYOND_ROUNDING[name]
    answers = problem.least_noise(Target(1.0, 1e-5))
    best = answers.best
    assert best.deviation == pytest.approx(2.0**-40 * length, rel=1e-14)
    assert (best.details["raised_from"] < best.noise).all()
    assert best.valid
    assert "exact: raised to 2^-40 of" in answers.remarks[-1]
    # A run in floats is moved by this noise.
    assert length + best.deviation.min() > length
    # What proves nothing is told as its source has it.
    printed = answers.by.get("printed")
    assert printed is None or "raised_from" not in printed.details


def test_few_steps_lead_no_farther_than_their_lengths():
    problem = Langevin(
        n=100,
        smoothness=1,
        strong_convexity=1e-12,
        learn_epochs=3,
        unlearn_epochs=7,
        target="T+K",
    )
    # M/m = 1e12 would ask for noise of 0.9; ten steps of length 1 lead to 10.
    assert problem._magnitude == 10.0
    assert "raised_from" not in problem.least_noise(Target(1.0, 1e-5)).best.details


def test_a_training_of_any_kind_may_end_anywhere_in_the_ball():
    constants = {"n": 100, "clip": 1.0, "step_size": 1e-6, "weight_decay": 1.0, "radius": 5.0}
    assert Clipped(**constants, unlearn_epochs=1)._magnitude == 5.0
    stationary = Langevin(n=100, smoothness=1, strong_convexity=0.1, step_size=1e-6, radius=5.0)
    assert stationary._magnitude == 5.0


def test_batches_of_more_rows_than_the_divisor_lead_farther():
    plain = {"n": 1000, "steps": 200, "unlearning_steps": 100, "smoothness": 0.25, "ridge": 0.3}
    problem = SampledDescent(**plain, batch_size=1, rate=0.5, step_size=0.001)
    length = 0.0
    for _ in range(300):
        # All gradients of an expected batch, in one direction.
        length = (1 - 0.001 * 0.3) * length + 0.001 * 500
    assert problem._magnitude >= length / 0.001
    assert problem._magnitude <= 500 / 0.3 / 0.001 * (1 + 1e-12)
