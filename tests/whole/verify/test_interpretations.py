"""Headlines of the papers' claims by their interpretations."""

import bounds
from verify.expectation import load
from verify.interpretations import (
    counted,
    headline,
)


def test_no_claim_of_our_own_counts_as_a_papers():
    assert {c.origin for c in bounds.statements("own")} == {"ours"}
    quoted = [c for c in bounds.statements() if c.quote]
    assert quoted
    assert all(c.origin == "paper" for c in quoted)


def test_theorem_2_of_olu_is_two_claims_and_its_guarantee_is_false():
    words = load()
    assert {r.name for r in bounds.get("olu.thm2").interpretations}.isdisjoint({"guarantee"})
    assert "OLU" not in bounds.get("olu.thm2").words
    assert headline(bounds.get("olu.thm2.unlearn"), words["olu.thm2.unlearn"]) == "false"


def test_corollary_3_8_of_sglu_is_read_as_appendix_f_has_it():
    claim = bounds.get("sglu.cor3.8")
    assert list(counted(claim, load()[claim.id])) == ["convergent"]
