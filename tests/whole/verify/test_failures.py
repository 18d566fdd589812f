"""What goes wrong is said of every printed form that fails, with numbers that the record has."""

import pytest

import bounds
from verify.failures import failure, fields
from verify.record import DecidingCase
from verify.stored import stored

PAPERS = ("sglu", "olu", "hf", "mini", "guo", "safe", "own")
"""Papers of which every failing printed form has its sentence."""
CASE = DecidingCase(
    "an instance",
    {"eta": 0.5, "u": "1, 2, … 9 (9 values)"},
    3.0,
    2.0,
    "<=",
    "exact",
    None,
    False,
    "",
)


def failing(paper):
    """(claim, interpretation, form) of what the paper prints and the record speaks against."""
    for id in bounds.paper(paper).statements:
        claim = bounds.get(id)
        for interpretation in stored(claim).interpretations:
            for verdict in interpretation.verdicts:
                if verdict.wrong and verdict.form == claim.own_form:
                    yield id, interpretation.name, verdict


def test_fields_are_filled_from_the_case():
    said = failure("at eta = {eta} it is {measured}, {ratio} times {bound}, for u = {u}", CASE)
    assert said == "at eta = 0.5 it is 3, 1.5 times 2, for u = 1, 2, … 9 (9 values)"
    assert failure("no numbers", None) == "no numbers"


@pytest.mark.parametrize(
    ("sentence", "case", "said"),
    [
        ("{measured}", None, "a case must decide the verdict to fill measured, got none"),
        ("{theta}", CASE, "fields must be of eta, u, measured, bound, ratio, inverse, got 'theta'"),
        ("{eta:.3}", CASE, "fields must be names in braces"),
        ("{}", CASE, "fields must be names in braces"),
    ],
    ids=["no case", "unknown", "format", "empty"],
)
def test_what_cannot_be_filled_is_refused(sentence, case, said):
    with pytest.raises(ValueError, match=said):
        failure(sentence, case)


def test_a_ratio_to_nothing_is_no_field():
    beyond = DecidingCase("i", {}, 1.0, float("inf"), "==", "exact", None, False, "")
    assert failure("{measured}, not {bound}", beyond) == "1, not ∞"
    with pytest.raises(ValueError, match="got 'ratio'"):
        failure("{ratio}", beyond)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_printed_form_that_fails_says_how(paper):
    silent = [f"{id} ({name})" for id, name, verdict in failing(paper) if not verdict.fails]
    assert not silent


@pytest.mark.parametrize("paper", PAPERS)
def test_every_claim_that_fails_says_what_should_stand(paper):
    ids = {id for id, _, _ in failing(paper)}
    assert not [id for id in ids if not bounds.get(id).correction]


def test_a_sentence_is_of_a_form_that_fails():
    for claim in bounds.statements():
        verdicts = stored(claim).interpretations
        failing_now = {(i.name, v.form) for i in verdicts for v in i.verdicts if v.wrong}
        sentences = {}
        for interpretation in claim.interpretations:
            for form, sentence in interpretation.fails.items():
                fields(sentence)
                places = sentences.setdefault((form, sentence), [])
                places.append((interpretation.name, form) in failing_now)
        assert all(any(places) for places in sentences.values()), claim.id
