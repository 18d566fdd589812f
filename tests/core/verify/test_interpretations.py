"""A headline is mixed exactly where printed forms of interpretations that count disagree."""

import pytest

import bounds
from bounds import Interpretation, Statement
from verify.evidence import Reproduction
from verify.expectation import load
from verify.interpretations import (
    AGAINST,
    counted,
    decision,
    disagreement,
    headline,
    is_against,
    standing,
)
from verify.origin import counts, summary
from verify.verdict import verdicts


def claim(*interpretations, forms=("printed",)):
    made = tuple(
        Interpretation(name, name, dict.fromkeys(forms, "<="), stance=stance)
        for name, stance in interpretations
    )
    return Statement("x.y", "Lemma", "inequality", "a <= b", made)


PLAIN = claim(("one", "plain"), ("two", "plain"))


@pytest.mark.parametrize("against", AGAINST)
@pytest.mark.parametrize("green", ["holds", "not refuted", "consistent", "reproduced 3/3"])
def test_plain_interpretations_that_disagree_are_mixed_in_either_order(green, against):
    assert headline(PLAIN, {"one.printed": green, "two.printed": against}) == "mixed"
    assert headline(PLAIN, {"one.printed": against, "two.printed": green}) == "mixed"


@pytest.mark.parametrize("other", ["unspecified", "not checkable", "holds"])
def test_what_is_open_or_agrees_leaves_the_first_word(other):
    assert headline(PLAIN, {"one.printed": "holds", "two.printed": other}) == "holds"
    assert headline(PLAIN, {"one.printed": other, "two.printed": "holds"}) == other


@pytest.mark.parametrize("stance", ["plain", "component"])
@pytest.mark.parametrize("green", ["holds", "not refuted", "consistent", "reproduced 3/3"])
def test_a_reproduction_in_part_counts_against_the_headline(green, stance):
    both = claim(("one", "plain"), ("two", stance))
    words = {"one.printed": green, "two.printed": "reproduced 2/3"}
    assert headline(both, words) == "mixed"


def test_no_share_of_a_table_stands_over_a_smaller_one():
    both = claim(("one", "plain"), ("two", "component"))
    words = {"one.printed": "reproduced 18/20", "two.printed": "reproduced 1/3"}
    assert headline(both, words) == "mixed"
    words = {"one.printed": "reproduced 1/3", "two.printed": "reproduced 3/3"}
    assert headline(both, words) == "reproduced 1/3"


@pytest.mark.parametrize("first", ["unspecified", "not checkable", "typo", "reproduced 2/3"])
@pytest.mark.parametrize("stance", ["plain", "component"])
def test_what_is_open_or_half_wrong_hides_nothing_false(first, stance):
    both = claim(("one", "plain"), ("two", stance))
    assert headline(both, {"one.printed": first, "two.printed": "false"}) == "mixed"


def test_two_that_fail_keep_the_first_word():
    assert headline(PLAIN, {"one.printed": "vacuous", "two.printed": "false"}) == "vacuous"


def test_a_part_spoils_but_does_not_redeem():
    both = claim(("whole", "plain"), ("other", "component"))
    assert headline(both, {"whole.printed": "holds", "other.printed": "false"}) == "mixed"
    assert headline(both, {"whole.printed": "false", "other.printed": "holds"}) == "false"


@pytest.mark.parametrize("stance", ["out_of_context", "amended"])
def test_what_is_out_of_context_or_amended_does_not_count(stance):
    after = claim(("one", "plain"), ("two", stance))
    assert headline(after, {"one.printed": "holds", "two.printed": "false"}) == "holds"
    before = claim(("one", stance), ("two", "plain"))
    assert headline(before, {"one.printed": "false", "two.printed": "holds"}) == "holds"
    assert counted(before, {"one.printed": "false", "two.printed": "holds"}) == {"two": "holds"}


def test_only_the_papers_own_form_counts():
    both = claim(("one", "plain"), ("two", "plain"), forms={"printed": "<=", "tight": "<="})
    words = {"one.printed": "holds", "one.tight": "false", "two.printed": "holds"}
    assert headline(both, words) == "holds"


def test_the_interpretations_are_named_by_their_words():
    words = {"one.printed": "holds", "two.printed": "typo"}
    assert disagreement(PLAIN, words) == "holds: one; typo: two"


def test_no_headline_is_greener_than_what_speaks_against_it():
    words = load()
    for c in bounds.statements():
        found = headline(c, words[c.id])
        against = filter(is_against, counted(c, words[c.id]).values())
        assert found == "mixed" or not any(standing(w) < standing(found) for w in against), c.id


def test_the_words_stand_in_order():
    order = ["false", "reproduced 1/3", "reproduced 2/3", "typo", "not checkable", "holds"]
    assert sorted(["holds", *order[:-1]], key=standing) == order
    assert standing("reproduced 3/3") == standing("not refuted") == standing("consistent")
    assert standing("false") == standing("vacuous")
    assert standing("unspecified") == standing("not run") == standing("not checkable")


def test_a_table_of_which_no_number_follows_is_contradicted():
    table = claim(("one", "plain"))
    rows = ({"b": 1, "match": False}, {"b": 2, "match": False})
    (found,) = verdicts(table, [Reproduction("one", "printed", "as rounded", rows)])
    assert (found.word, found.reason) == ("false", "none of 2: as rounded")
    (found,) = verdicts(
        table, [Reproduction("one", "printed", "", ({"b": 1, "match": True}, rows[0]))]
    )
    assert found.word == "reproduced 1/2"


def test_what_decides_is_named_with_what_else_counts():
    parted = claim(("literal", "plain"), ("loop", "component"), ("ours", "amended"))
    words = {"literal.printed": "false", "loop.printed": "holds", "ours.printed": "holds"}
    assert decision(parted, words) == "literal decides; also holds: loop"
    words["literal.printed"], words["loop.printed"] = "holds", "false"
    assert decision(parted, words) == "holds: literal; false: loop"
    assert decision(claim(("one", "plain")), {"one.printed": "holds"}) == ""
    apart = claim(("words", "out_of_context"), ("meant", "plain"))
    assert decision(apart, {"words.printed": "false", "meant.printed": "holds"}) == "meant decides"


def test_a_statement_is_the_papers_where_it_is_printed_or_quoted():
    assert PLAIN.origin == "paper"
    assert claim(("one", "plain"), forms=("tight", "printed")).origin == "paper"
    unprinted = claim(("one", "plain"), forms=("tight", "corrected"))
    assert unprinted.origin == "ours"
    assert unprinted.changed(quote="its own words").origin == "paper"


def test_counts_are_by_origin():
    one, two = PLAIN, claim(("one", "plain"), forms=("tight",))
    told = [(one, "holds"), (two, "holds"), (one, "reproduced 1/2"), (one, "false")]
    assert counts(told) == {
        "paper": {"false": 1, "reproduced in part": 1, "holds": 1},
        "ours": {"holds": 1},
    }
    assert summary(told) == [
        "3 stated by a paper: 1 false, 1 reproduced in part, 1 holds",
        "1 ours, beside the papers: 1 holds",
    ]


def test_every_claim_has_a_interpretation_that_counts():
    for c in bounds.statements():
        assert any(r.stance in ("plain", "component") for r in c.interpretations), c.id
