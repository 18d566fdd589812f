"""A typo is one edit that suffices: it is carried out on what is printed, and compared."""

import dataclasses

import pytest

import bounds
from bounds import Edit, Interpretation, Statement
from verify.edits import fault
from verify.evidence import Comparison, Declaration
from verify.verdict import verdicts

EDITED = [(c, r, f) for c in bounds.statements() for r in c.interpretations for f in r.edits]
NAMES = [f"{c.id}.{r.name}" for c, r, _ in EDITED]


@pytest.mark.parametrize(("claim", "interpretation", "form"), EDITED, ids=NAMES)
def test_every_edit_leads_from_what_is_printed_to_the_corrected_form(claim, interpretation, form):
    assert fault(claim, interpretation, form) is None


@pytest.mark.parametrize(("claim", "interpretation", "form"), EDITED, ids=NAMES)
def test_the_same_edit_with_another_outcome_is_refused(claim, interpretation, form):
    edit = interpretation.edits[form]
    wrong = dataclasses.replace(edit, after=edit.after + "x")
    absent = dataclasses.replace(edit, before=edit.before + "?!")
    idle = dataclasses.replace(edit, after=edit.before)
    in_tex = claim.forms and edit.before in claim[form].tex
    for other in ([wrong] if in_tex else []) + [absent, idle]:
        assert fault(claim, dataclasses.replace(interpretation, edits={form: other}), form)


STATEMENT = "For every x in the list, f(x) <= g(x) and g(x) <= h(x), with h of order one"


def judged(edit, *, measured=0.5, declared=False):
    interpretation = Interpretation(
        "literal", "as it stands", {"printed": "<=", "corrected": "<="}, edits={"printed": edit}
    )
    claim = Statement("x.y", "Lemma", "inequality", STATEMENT, (interpretation,))
    against = (
        Declaration("literal", "printed", "ill-typed", "no sense")
        if declared
        else Comparison("literal", "printed", "one", {}, 2.0, 1.0)
    )
    after = Comparison("literal", "corrected", "one", {}, measured, 1.0)
    return verdicts(claim, [against, after])[0].word


ONE = Edit("strict", "f(x) <=", "f(x) <")


def test_a_typo_takes_an_edit_that_can_be_carried_out_and_survives():
    assert judged(ONE) == "typo"
    assert judged(ONE, measured=2.0) == "false"
    assert (judged(ONE, declared=True), judged(ONE, measured=2.0, declared=True)) == (
        "typo",
        "unspecified",
    )


@pytest.mark.parametrize(
    "edit",
    [
        Edit("absent", "k(x)", "f(x)"),
        Edit("empty", "", "f(x)"),
        Edit("twice", "<=", "<"),
        Edit("nothing", "f(x)", "f(x)"),
        Edit("rewritten", STATEMENT[:60], "Every x is small"),
        Edit("long", "f(x)", "1 + " * 60 + "f(x)"),
    ],
    ids=lambda e: e.words,
)
def test_what_is_no_single_edit_leaves_it_false(edit):
    assert judged(edit) == "false"


def test_a_symbol_may_be_exchanged_everywhere_and_parts_may_change_places():
    assert judged(Edit("strict", "<=", "<", everywhere=True)) == "typo"
    assert judged(Edit("order", STATEMENT, " ".join(reversed(STATEMENT.split())))) == "typo"
