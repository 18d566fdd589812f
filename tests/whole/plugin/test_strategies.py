"""Strategies that draw arguments of the papers' claims."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

import bounds
from forgetproof.testing import claims, deletion_sequences, losses, schedules
from tests.core.plugin.test_strategies import FEW, FIND
from verify.search.minimise import digits

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
