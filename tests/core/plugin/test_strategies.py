"""Strategies: inputs of every claim, losses, schedules, deletions; and what they shrink to."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

import bounds
from accounting.deletions.schedule import DeletionSchedule
from forgetproof.testing import claims, deletion_sequences, losses, schedules
from verify.search.minimise import digits

FEW = settings(
    max_examples=2,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
FIND = settings(
    max_examples=100, database=None, derandomize=True, phases=[Phase.generate, Phase.shrink]
)
ANY = settings(FIND, phases=[Phase.generate])


@pytest.mark.parametrize("paper", ["sglu", "olu", "hf", "mini", "guo", "safe"])
def test_inputs_of_every_claim_are_admissible_and_every_form_evaluates(paper):
    drawn = set()

    def evaluate(points):
        for id, point in points.items():
            drawn.add(id)
            formula = bounds.get(id)
            checked = {k: formula.symbols[k].validate(v) for k, v in point.items()}
            for requirement in formula.requires:
                requirement.check(checked)
            for form in formula.forms.values():
                assert not np.isnan(form(**point)).any(), (id, form.name)

    ids = [s.id for s in bounds.statements(paper) if s.forms]
    for start in range(0, len(ids), 24):  # some at a time: drawing costs less than starting
        together = {id: claims.strategy(id) for id in ids[start : start + 24]}
        FEW(given(st.fixed_dictionaries(together))(evaluate))()
    assert drawn == set(ids)


def test_a_form_alone_draws_what_it_takes_and_a_interpretation_narrows():
    formula = bounds.get("olu.thm2")
    point = find(claims.strategy("olu.thm2", "printed"), lambda p: True, settings=ANY)
    assert set(point) == set(formula["printed"].arguments)
    literal = claims.strategy(
        "mini.eig", interpretation=claims.get("mini.eig").claim.interpretations[0].name
    )
    small = claims.strategy("mini.eig", interpretation="small")

    def too_long(p):
        return p["eta"] > 2 / (p["L"] + p["mu"])

    find(literal, too_long, settings=ANY)

    def short(p):
        assert not too_long(p)

    FEW(given(small)(short))()


def test_a_false_claim_shrinks_to_a_counterexample_in_readable_numbers():
    """(17) of olu, printed: sqrt(sum i^(2w)) <= k^(w + 1/2)/sqrt(2w + 1) fails already at k = 1."""

    def violates(p):
        left = math.sqrt(sum(i ** (2 * p["omega"]) for i in range(1, int(p["k"]) + 1)))
        return left > claims.get("olu.eq17").value("printed", **p) * (1 + 1e-9)

    found = find(claims.strategy("olu.eq17"), violates, settings=FIND)
    assert found["k"] == 1
    assert digits(found["omega"]) == 1
    assert Fraction(1) / (2 * Fraction(found["omega"]) + 1) < 1  # the squares of both sides


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: claims.strategy("olu.thm99"), "must name a claim"),
        (lambda: claims.strategy("olu.thm2", "exact"), "form must be one of printed"),
        (
            lambda: claims.strategy("olu.thm2", interpretation="x"),
            "interpretation must be one of literal",
        ),
        (lambda: claims.strategy("sglu.alg1"), "with a formula, got 'sglu.alg1'"),
        (lambda: claims.ids("abc"), "paper must be one of"),
        (lambda: schedules(0.0), "smoothness must be "),
        (lambda: schedules(float("nan")), "smoothness must be "),
        (lambda: schedules(rounds=0), "rounds must be an integer >= 1"),
        (lambda: schedules(contracting=1), "contracting must be True or False"),
        (lambda: deletion_sequences(1), "rounds must be an integer >= 2"),
        (lambda: deletion_sequences(most=0), "most must be an integer >= 1"),
        (lambda: deletion_sequences(convention="D"), "convention must be one of"),
        (lambda: losses(dimension=0), "dimension must be an integer >= 1"),
        (lambda: losses(strongly_convex=1), "strongly_convex must be True, False or None"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_claims_without_a_formula_have_no_value():
    assert claims.get("sglu.alg1").forms == ()
    with pytest.raises(ValueError, match="with a formula"):
        claims.get("sglu.alg1").value("printed")


@given(losses(), st.data())
@settings(deadline=None, max_examples=40)
def test_a_loss_has_its_gradient_and_its_constants(loss, data):
    place = st.lists(st.floats(-3, 3, width=16), min_size=loss.dimension, max_size=loss.dimension)
    x, y = (np.array(data.draw(place)) for _ in range(2))
    gap, moved = y - x, loss.gradient(y) - loss.gradient(x)
    slack = 1e-9 * (1 + loss.smoothness) * (1 + np.abs(gap).max() ** 2)
    assert moved @ gap >= loss.strong_convexity * gap @ gap - slack
    assert np.linalg.norm(moved) <= loss.smoothness * np.linalg.norm(gap) + slack
    step = 1e-6
    for i, unit in enumerate(np.eye(loss.dimension)):
        slope = (loss.value(x + step * unit) - loss.value(x - step * unit)) / (2 * step)
        assert slope == pytest.approx(loss.gradient(x)[i], abs=3e-5 * (1 + loss.smoothness))


def test_losses_are_of_the_kind_asked_for_and_shrink_to_a_quadratic():
    FEW(given(losses(dimension=2, strongly_convex=True))(_convex))()
    FEW(given(losses(strongly_convex=False))(_flat))()
    simplest = find(losses(dimension=1), lambda loss: True, settings=FIND)
    assert repr(simplest) == "Quadratic(curvature=[1.0], rows=[[0.0]])"
    with pytest.raises(ValueError, match=r"x must have shape \(1,\)"):
        simplest.gradient([1.0, 2.0])


def _convex(loss):
    assert loss.dimension == 2
    assert loss.strong_convexity > 0


def _flat(loss):
    assert loss.strong_convexity == 0
    assert loss.smoothness > 0


@given(st.sampled_from([0.3, 1.0, 7.0]).flatmap(lambda L: st.tuples(st.just(L), schedules(L))))
def test_schedules_contract(drawn):
    smoothness, steps = drawn
    assert 1 <= len(steps) <= 8
    assert all(0 < eta < 2 / smoothness for eta in steps)


def test_schedules_shrink_and_may_expand():
    assert find(schedules(), lambda s: True, settings=FIND) == [0.5]
    assert find(schedules(2.0), lambda s: len(s) > 2, settings=FIND) == [0.25] * 3
    assert max(find(schedules(contracting=False), lambda s: max(s) > 2, settings=FIND)) == 2.5


@given(st.sampled_from("ABC").flatmap(lambda c: deletion_sequences(6, convention=c)))
def test_deletions_are_schedules_of_distinct_losses(schedule):
    assert isinstance(schedule, DeletionSchedule)
    assert 1 <= len(schedule) <= 4
    assert schedule.times.max() <= 6
    assert not schedule.repeated.any()


def test_deletions_shrink_and_may_repeat():
    first = find(deletion_sequences(), lambda s: True, settings=FIND)
    assert (first.indices.tolist(), first.times.tolist()) == ([1], [2])
    again = find(deletion_sequences(repeats=True), lambda s: s.repeated.any(), settings=FIND)
    assert (again.indices.tolist(), again.times.tolist()) == ([1, 1], [2, 2])
