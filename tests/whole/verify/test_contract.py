"""Every statement of every installed paper keeps the contract; what breaks it is named."""

import dataclasses

import pytest

import bounds
from bounds import Edit, Hypothesis, Interpretation, Plot, Proof
from forgetproof.testing import contract
from forgetproof.testing.contract import Contract, faults, faults_of_check, faults_of_verdicts
from verify import checks
from verify.checks import Instances, Limit
from verify.tex import listed


class TestEveryPaper(Contract):
    paper = None
    test_check_reaches_the_expected_verdicts = None  # test_claims runs every check of ours


LEMMA = bounds.get("sglu.lem3.6")
LITERAL = LEMMA.interpretations[0]


def interpretation(**changes):
    return {"interpretations": (dataclasses.replace(LITERAL, **changes),)}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"kind": "guess"}, "kind 'guess' is none of definition"),
        ({"words": ""}, "label and words must be given"),
        ({"aliases": ("olu.thm2",)}, "alias olu.thm2 names olu.thm2"),
        ({"requires": (Hypothesis("q", lambda q: q),)}, "requires: q speaks of q"),
        (interpretation(relations={}), "interpretation literal judges no form"),
        (interpretation(relations={"absent": "<="}), "judges absent, which is no form"),
        (interpretation(relations={"printed": "<", "tight": "=="}), "has the relation <"),
        (interpretation(stance="odd"), "has the stance 'odd'"),
        (interpretation(proofs={"corrected": "x"}), "proves or edits corrected"),
        (interpretation(edits={"corrected": Edit("x", "a", "b")}), "proves or edits corrected"),
        (
            interpretation(where=(Hypothesis("eta < 1", lambda eta: eta < 1),)),
            "eta < 1 speaks of eta",
        ),
        (interpretation(where=(Hypothesis("s", sets={"s": lambda c: c}),)), "speaks of s"),
        (interpretation(proofs={"printed": Proof("x", "written", "no.md")}), "a proof no.md"),
        ({"plot": Plot("T", (0.0, 1.0), {"c": 2.0, "J": 1.0, "W0": 1.0})}, "c must be in [0, 1]"),
        ({"plot": Plot("T", (0.0, 1.0), {"c": 0.5})}, "J is missing"),
    ],
)
def test_what_breaks_it_is_named(changes, said):
    assert list(faults(LEMMA)) == []
    assert said in "\n".join(faults(LEMMA.changed(**changes)))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"limits": {"absent": Limit("x")}}, "a limit is of absent"),
        ({"limits": {"literal": Limit("x", others=("q",))}}, "is about q"),
        ({"limits": {"literal": Limit("x", (Hypothesis("q", lambda q: q),))}}, "speaks of q"),
        ({"at": (Instances("x", interpretations=("absent",)),)}, "x: absent is no interpretation"),
        ({"at": (Instances("x", relations={"tight": "="}),)}, "x: = is no relation"),
        ({"at": (Instances("x", forms=("q",)),)}, "x: q is judged by no interpretation"),
        ({"at": (Instances("x", script="no"),)}, "there is no program no"),
        ({"at": (Instances("x", ({"c": 0.5, "T": 1, "J": 2},)),)}, "x: W0 is missing"),
        ({"pictures": "verify.sglu.lemma_3_6:absent"}, "pictures must be module:function"),
    ],
)
def test_what_does_not_fit_is_named(monkeypatch, changes, said):
    assert list(faults_of_check(LEMMA)) == []
    changed = dataclasses.replace(checks.check(LEMMA), **changes)
    monkeypatch.setattr(checks, "check", lambda statement: changed)
    assert said in "\n".join(faults_of_check(LEMMA))


def test_a_form_that_differs_from_its_tex_is_named(monkeypatch):
    assert list(listed.faults(LEMMA)) == []
    monkeypatch.setattr(LEMMA["tight"], "tex", r"c^{TJ+1}\,W_0")
    monkeypatch.setattr(LEMMA["printed"], "tex", r"\text{the same}")
    unread, differs = sorted(listed.faults(LEMMA))
    assert unread.startswith("the TeX of printed is listed in read_tex.json and not read")
    assert differs.startswith("the form tight differs from its TeX")


def test_a_verdict_that_is_not_the_expected_one_is_named(monkeypatch):
    """The starter's own test was green where the author expected a refuted form to hold."""
    wrong = {"literal.printed": "holds", "literal.tight": "false"}
    monkeypatch.setattr(contract, "_expected", lambda: {LEMMA.id: wrong})
    (line,) = faults_of_verdicts(LEMMA)
    assert line.startswith("literal.tight: expected false, found holds: ")


def test_a_check_that_breaks_is_named(monkeypatch):
    broken = dataclasses.replace(checks.check(LEMMA), exact_side=lambda **_: 1 / 0)
    monkeypatch.setattr(checks, "check", lambda statement: broken)
    (line,) = faults_of_verdicts(LEMMA)
    assert line.startswith("the check broke: ")
    assert line.endswith("ZeroDivisionError: division by zero")


def test_expected_verdicts_must_be_of_all_that_is_judged():
    more = dataclasses.replace(LITERAL, name="more")
    (line,) = faults_of_check(LEMMA.changed(interpretations=(LITERAL, more)))
    assert line.endswith("differ from what is judged in more.printed, more.tight")


def test_interpretations_need_names_of_their_own():
    with pytest.raises(
        ValueError, match=r"interpretations of sglu\.x must have names of their own"
    ):
        bounds.Statement("sglu.x", "X", "claim", "words", (LITERAL, LITERAL))
    with pytest.raises(ValueError, match=r"id must be paper\.label in a-z, 0-9, _ and \., got 'X'"):
        bounds.Statement("X", "X", "claim", "words", (Interpretation("a", "b", {}),))
    made = bounds.Statement("sglu.x", "X", "claim", "words")
    made.interpreted_as("literal", "as it stands")
    with pytest.raises(
        ValueError, match=r"interpretations of sglu\.x must have names of their own"
    ):
        made.interpreted_as("literal", "once more")


@pytest.mark.parametrize(
    ("kind", "relation"), [("equality", "=="), ("definition", "=="), ("inequality", "<=")]
)
def test_a_interpretation_judges_every_form_by_the_kind_unless_it_lists_its_own(kind, relation):
    made = bounds.Statement("sglu.x", "X", kind, "words")
    made.interpreted_as("literal", "as it stands")
    made.interpreted_as("one", "another", {"tight": ">="})

    @made.form("printed", tex="1")
    def printed(xp):
        """The left side is at most 1.

        Proof: of printed
        """
        return 1

    @made.form("tight", tex="1")
    def tight(xp):
        """The left side is at most 1.

        Proof: of tight
        Proof (literal): its own
        """
        return 1

    every, one = made.interpretations
    assert every.relations == {"printed": relation, "tight": relation}
    assert every.proofs == {"printed": "of printed", "tight": "its own"}
    assert (one.relations, one.proofs) == ({"tight": ">="}, {"tight": "of tight"})
    with pytest.raises(ValueError, match=r"interpretations of sglu\.x must come before its forms"):
        made.interpreted_as("late", "too late")
