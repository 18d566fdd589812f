"""The table of the index: what it says, and what one searches and sorts by."""

import math

from bounds import Interpretation, Statement
from verify.evidence import Comparison
from verify.outcome import outcome_of
from verify.report.index import choices, grouped, index_rows
from verify.verdict import WORDS
from verify.words import ORDER


def outcome(id="x.y", measured=1.0, bound=4.0, tight=2.0, alias="x.other"):
    interpretation = Interpretation("literal", "", {"printed": "<=", "tight": "<="})
    claim = Statement(
        id, "Lemma 1", "inequality", "It is SMALL", (interpretation,), aliases=(alias,)
    )
    forms = {"printed": bound, "tight": tight}
    evidence = [
        Comparison("literal", f, "one", {}, measured, b, tight=tight, tolerance=0)
        for f, b in forms.items()
    ]
    return outcome_of(claim, evidence, 0.5, None)


def test_a_row_holds_the_numbers_of_the_printed_form():
    (row,) = index_rows([outcome()])
    assert (row.verdict, row.page) == ("not refuted", "claims/x.y.html")
    assert (row.slack, row.attainment, row.red) == ("2", "0.5", "0.25")
    assert (row.slack_value, row.attainment_value, row.red_value) == ("2.0", "0.5", "0.25")
    assert row.others == ((1, "not refuted"),)


def test_what_does_not_apply_is_empty_and_infinite_is_what_scripts_read():
    (row,) = index_rows([outcome(measured=5.0, bound=math.inf, tight=3.0)])
    assert row.slack_value == "Infinity"
    (row,) = index_rows([outcome(measured=5.0)])
    assert (row.verdict, row.red, row.red_value) == ("false", "", "")


def test_search_looks_through_labels_statements_verdicts_and_aliases_in_lower_case():
    (row,) = index_rows([outcome()])
    for word in ("lemma 1", "it is small", "x.y", "x.other", "not refuted"):
        assert word in row.text


def test_problems_stand_first_and_filters_offer_what_occurs(outcomes):
    table = index_rows(outcomes)
    assert [word for word, _, _ in grouped(table)] == [
        "error",
        "false",
        "unspecified",
        "reproduced in part",
        "holds",
    ]
    offered = dict(choices(table))
    assert offered["paper"] == ["sglu", "x"]
    assert offered["verdict"][0] == "error"
    assert offered["kind"] == ["inequality", "table"]


def test_every_verdict_word_has_a_place():
    assert set(WORDS) <= set(ORDER)
