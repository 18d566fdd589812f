"""What is said of a verdict from the numbers of its deciding case, and of a case's values."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds import Statement, Symbol
from verify.case_values import case_values, short_powers, shown
from verify.glosses import GLOSSES, UNCHECKED, form_in_words, gloss, proof_in_words
from verify.record import DecidingCase
from verify.stored import StoredVerdict
from verify.verdict_sentences import what_fails, what_was_tested
from verify.words import ORDER


def claim(**more):
    """A bound on a distance, of a length and a step."""
    symbols = (
        Symbol("eta", "step", r"\eta", low=0, unit="parameter^2/loss"),
        Symbol("lam", "ridge", r"\lambda", low=0, unit="loss^(1/2)"),
        Symbol("n", "rows", "n", low=1, kind="integer"),
    )
    built = Statement("toy.bound", "Bound", "inequality", "D <= eta n.", symbols=symbols, **more)
    built.interpreted_as("literal", "as stated", {"printed": "<="})
    return built


def case(measured, bound, relation="<=", **more):
    values = {"instance": "a line", "inputs": {}, "basis": "exact", "level": None}
    values |= {"on_data": False, "program": ""}
    return DecidingCase(measured=measured, bound=bound, relation=relation, **values | more)


def verdict(word, case=None, **more):
    values = {"proof": "", "argument": "", "written": "", "edit": "", "fails": ""}
    values |= {"reason": "why it is so", "cases": 3, "slack": None}
    return StoredVerdict(form="printed", word=word, case=case, **values | more)


@pytest.mark.parametrize(
    ("measured", "bound", "relation", "said"),
    [
        (3.0, 1.0, "<=", "Distance is 3; the paper says at most 1, 3 times too much (a line)."),
        (1.05, 1.0, "<=", "Distance is 1.05; the paper says at most 1, 5 % too much (a line)."),
        (1.0, 4.0, ">=", "Distance is 1; the paper says at least 4, 4 times too little (a line)."),
        (2.0, 4.0, "==", "Distance is 2; the paper says 4, off by a factor 2 (a line)."),
        (5.0, math.inf, "==", "Distance is 5; the paper says ∞ (a line)."),
        (0.0, -2.0, "<=", "Distance is 0; the paper says at most -2 (a line)."),
        (1.0 + 1e-7, 1.0, "<=", "Distance is 1.0000001; the paper says at most 1, 1e-5 % too"),
    ],
)
def test_what_fails_is_said_by_the_two_sides(measured, bound, relation, said):
    stated = claim(quantity="distance", quote="D is at most eta n")
    assert what_fails(stated, verdict("false", case(measured, bound, relation))).startswith(said)


def test_a_sentence_that_was_written_comes_first():
    stated = claim(quantity="distance")
    assert what_fails(stated, verdict("false", case(3, 1), fails="At eta = 1 it is 3.")) == (
        "At η = 1 it is 3."
    )


@pytest.mark.parametrize(
    ("word", "more", "said"),
    [
        ("vacuous", {}, "No case meets the hypotheses: why it is so."),
        ("unspecified", {}, "Why it is so."),
        ("reproduced 3/4", {}, "Only 3 of 4 printed numbers follow: why it is so."),
        ("typo", {"edit": "n for m"}, "One edit mends it: n for m. Why it is so."),
    ],
    ids=["vacuous", "unspecified", "table", "typo"],
)
def test_without_a_case_the_reason_is_said(word, more, said):
    assert what_fails(claim(), verdict(word, **more)) == said


@pytest.mark.parametrize(
    ("decided", "more", "said"),
    [
        (case(0.87, 1.0), {}, "None of 3 cases breaks it; the closest came to 87 % of the bound."),
        (case(4.0, 2.0, ">="), {}, "None of 3 cases breaks it; the closest came to 50 % of"),
        (case(1.0, 1.0), {}, "None of 3 cases breaks it; the closest attains the bound."),
        (case(1.0, 1.0, "=="), {}, "None of 3 cases breaks it; both sides agree in all digits."),
        (case(0.0, 1.0), {}, "None of 3 cases breaks it."),
        (case(1.0, 1.0), {"cases": 1}, "The one case that was compared does not break it; the"),
        (case(0.0, 1.0), {"slack": [2.24, 517.0]}, "None of 3 cases breaks it. It is 2.2 to 520"),
        (case(0.0, 1.0), {"slack": [1.0, 1.0]}, "None of 3 cases breaks it. It is the best bound."),
        (None, {"cases": 0}, "Why it is so."),
        (
            case(0.0, 1.0),
            {"proof": "checked from tight (named)", "argument": "by induction"},
            "None of 3 cases breaks it. Checked by machine from the best possible form (named "
            "proof): by induction.",
        ),
    ],
)
def test_what_was_tested_says_how_many_and_how_close(decided, more, said):
    assert what_was_tested(verdict("holds", decided, **more)).startswith(said)


@given(st.floats(1e-9, 1e9), st.floats(1e-9, 1e9))
def test_a_violation_is_never_told_as_equality(first, second):
    low, high = sorted((first, second))
    if low == high:
        return
    text = what_fails(claim(quote="q"), verdict("false", case(high, low)))
    measured, claimed = text.removeprefix("The left-hand side is ").split(
        "; the paper says at most"
    )
    assert float(measured) > float(claimed.split(",")[0])


def test_values_have_their_letters_and_units():
    values = case_values(claim(), {"eta": 0.25, "lam": 1e-5, "n": 3, "drift": [1, 2.5]})
    assert [value.equation for value in values] == [
        "η = 0.25 parameter²/loss",
        "λ = 1e-5 √loss",
        "n = 3",
        "drift = [1, 2.5]",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "yes"),
        (math.inf, "∞"),
        ("inf", "∞"),
        (
            "1.599199999, 0.4797, … 6.48084e-21 (40 values)",
            "1.599, 0.4797, … 6.481e-21 (40 values)",
        ),
        (1e6, "1e6"),
        (-0.5, "-0.5"),
        ("words", "words"),
    ],
)
def test_a_value_has_few_digits(value, text):
    assert shown(value) == text


def test_powers_are_short():
    assert short_powers("4e-05 and 2e+13, name1e5") == "4e-5 and 2e13, name1e5"


def test_every_kind_of_verdict_has_a_gloss():
    assert set(GLOSSES) == set(ORDER) - {"error", "not run"}
    assert gloss("reproduced 3/4") is GLOSSES["reproduced in part"]
    assert gloss("not run") is UNCHECKED


def test_forms_and_proofs_in_words():
    assert form_in_words("tight") == "best possible"
    assert form_in_words("stored") == "stored"
    assert proof_in_words("named proof") == "named proof"
    assert proof_in_words("checked from printed (written)") == (
        "checked by machine from the form as printed (written proof)"
    )
    assert proof_in_words("checked from tight (proved)") == (
        "checked by machine from the best possible form (proved by machine)"
    )
    assert proof_in_words("proved from algebra alone, by a lab") == (
        "proved by machine from algebra alone, by a lab"
    )
    assert proof_in_words("proved at most from meet, shift") == (
        "proved by machine at most from 2 named theorems"
    )
    assert proof_in_words("proved at most, nothing bound, from algebra alone") == (
        "proved by machine at most, bound to no formula, from algebra alone"
    )
    assert proof_in_words("proved from coupled") == "proved by machine from a named theorem"
