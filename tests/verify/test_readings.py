"""A headline is mixed exactly where printed forms of readings that count disagree."""

import pytest

import bounds
from bounds import Reading, Statement
from verify.expectation import load
from verify.readings import AGAINST, counted, disagreement, headline, is_green


def claim(*readings, forms=("printed",)):
    made = tuple(
        Reading(name, name, dict.fromkeys(forms, "<="), stance=stance) for name, stance in readings
    )
    return Statement("x.y", "Lemma", "inequality", "a <= b", made)


FAIR = claim(("one", "fair"), ("two", "fair"))


@pytest.mark.parametrize("against", AGAINST)
@pytest.mark.parametrize("green", ["holds", "not refuted", "consistent", "reproduced 3/3"])
def test_fair_readings_that_disagree_are_mixed_in_either_order(green, against):
    assert headline(FAIR, {"one.printed": green, "two.printed": against}) == "mixed"
    assert headline(FAIR, {"one.printed": against, "two.printed": green}) == "mixed"


@pytest.mark.parametrize("other", ["unspecified", "not checkable", "reproduced 2/3", "holds"])
def test_what_is_open_or_agrees_leaves_the_first_word(other):
    assert headline(FAIR, {"one.printed": "holds", "two.printed": other}) == "holds"
    assert headline(FAIR, {"one.printed": other, "two.printed": "holds"}) == other


def test_two_that_fail_keep_the_first_word():
    assert headline(FAIR, {"one.printed": "vacuous", "two.printed": "false"}) == "vacuous"


def test_a_part_spoils_but_does_not_redeem():
    both = claim(("whole", "fair"), ("other", "part"))
    assert headline(both, {"whole.printed": "holds", "other.printed": "false"}) == "mixed"
    assert headline(both, {"whole.printed": "false", "other.printed": "holds"}) == "false"


@pytest.mark.parametrize("stance", ["gap", "repair"])
def test_gaps_and_repairs_do_not_count(stance):
    after = claim(("one", "fair"), ("two", stance))
    assert headline(after, {"one.printed": "holds", "two.printed": "false"}) == "holds"
    before = claim(("one", stance), ("two", "fair"))
    assert headline(before, {"one.printed": "false", "two.printed": "holds"}) == "holds"
    assert counted(before, {"one.printed": "false", "two.printed": "holds"}) == {"two": "holds"}


def test_only_the_papers_own_form_counts():
    both = claim(("one", "fair"), ("two", "fair"), forms={"printed": "<=", "tight": "<="})
    words = {"one.printed": "holds", "one.tight": "false", "two.printed": "holds"}
    assert headline(both, words) == "holds"


def test_the_readings_are_named_by_their_words():
    words = {"one.printed": "holds", "two.printed": "typo"}
    assert disagreement(FAIR, words) == "holds: one; typo: two"


def test_no_green_headline_hides_a_printed_form_that_fails():
    words = load()
    for c in bounds.statements():
        if is_green(headline(c, words[c.id])):
            assert not set(counted(c, words[c.id]).values()) & set(AGAINST), c.id


def test_every_claim_has_a_reading_that_counts():
    for c in bounds.statements():
        assert any(r.stance in ("fair", "part") for r in c.readings), c.id


def test_theorem_2_of_olu_is_two_claims_and_its_guarantee_is_false():
    words = load()
    assert {r.name for r in bounds.get("olu.thm2").readings}.isdisjoint({"guarantee"})
    assert "OLU" not in bounds.get("olu.thm2").words
    assert headline(bounds.get("olu.thm2.unlearn"), words["olu.thm2.unlearn"]) == "false"


def test_corollary_3_8_of_sglu_is_read_as_appendix_f_has_it():
    claim = bounds.get("sglu.cor3.8")
    assert list(counted(claim, load()[claim.id])) == ["convergent"]
