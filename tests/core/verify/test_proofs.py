"""`holds` takes a proof of more than a phrase, and an experiment that could have said no."""

import dataclasses

import pytest

import bounds
from bounds import Interpretation, Proof, Statement
from verify.evidence import Comparison
from verify.proofs import argues
from verify.verdict import verdicts

ARGUMENT = "x is a mean of numbers that are at most 1"
INTERPRETATION = Interpretation(
    "literal", "for every x in the list", {"printed": "<="}, proofs={"printed": ARGUMENT}
)
CLAIM = Statement("x.y", "Lemma 1", "inequality", "The mean of x is at most one", (INTERPRETATION,))


def found(measured, bound, relation="<=", proof=ARGUMENT):
    interpretation = dataclasses.replace(INTERPRETATION, proofs={"printed": proof})
    claim = CLAIM.changed(interpretations=(interpretation,))
    compared = Comparison("literal", "printed", "here", {}, measured, bound, relation)
    (verdict,) = verdicts(claim, [compared])
    return verdict


def test_an_argument_and_something_measured_hold():
    assert (found(0.5, 1).word, found(0.5, 1).reason) == ("holds", ARGUMENT)


@pytest.mark.parametrize(
    ("measured", "bound", "relation"),
    [(0.0, 1.0, "<="), (0.0, 0.0, "<="), (-1.0, 1.0, "<="), (1.0, 0.0, ">="), (0.0, 0.0, ">=")],
    ids=["zero below", "zero at zero", "negative", "above zero", "zero at a zero floor"],
)
def test_a_bound_that_nothing_comes_near_is_not_refuted_and_says_why(measured, bound, relation):
    verdict = found(measured, bound, relation)
    assert (verdict.word, verdict.worst.measured) == ("not refuted", measured)
    assert verdict.reason == f"nothing above 0 was measured: {ARGUMENT}"


@pytest.mark.parametrize("measured", [0.0, -1.0])
def test_an_equality_is_its_own_reach(measured):
    assert found(measured, measured, "==").word == "holds"


@pytest.mark.parametrize(
    "phrase",
    [
        "",
        "x",
        "obvious",
        "Cauchy-Schwarz",
        "by Lemma 4",
        "as above, with y in its place instead",
        "the same with another constant",
        "The mean of x is at most one.",
        "For every x in the list",
    ],
    ids=[
        "nothing",
        "letter",
        "word",
        "tool",
        "number",
        "above",
        "same",
        "statement",
        "interpretation",
    ],
)
def test_a_phrase_is_no_proof(phrase):
    verdict = found(0.5, 1, proof=phrase)
    assert verdict.word == "not refuted"
    assert not argues(Proof(phrase), CLAIM, INTERPRETATION)
    assert verdict.reason in ("here", f"only a phrase for a proof: {phrase}")


def test_every_proof_of_every_claim_is_an_argument():
    phrases = [
        (c.id, r.name, form, proof)
        for c in bounds.statements()
        for r in c.interpretations
        for form, proof in r.proofs.items()
        if not argues(r.proof(form), c, r)
    ]
    assert phrases == []
