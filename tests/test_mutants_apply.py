"""Deliberate errors: each applies, names what exists, and is run as it is listed."""

import pytest

import bounds
from tools import mutants
from tools.mutants import MUTANTS, Mutant, tried

FORM = "bounds/olu/proposition_1.py"
WRONG = ("(alpha - k)) * epsilon", "(alpha - 1)) * epsilon")
SAME = ("(alpha - k)) * epsilon", "(-k + alpha)) * epsilon")
TESTS = "tests/bounds/test_reference_olu_section2.py"


def test_every_mutant_applies_and_is_noticed_by_something_that_exists():
    assert mutants.stale() == []
    assert len(MUTANTS) >= 15
    for mutant in MUTANTS:
        for killer in mutant.killers:
            if killer.startswith("tests/"):
                assert (mutants.ROOT / killer).is_file()
            else:
                bounds.get(killer)


@pytest.mark.parametrize(("edit", "noticed"), [(WRONG, True), (SAME, False)])
def test_an_error_is_noticed_and_what_changes_nothing_is_not(edit, noticed):
    mutant = Mutant("one", FORM, *edit, ("olu.prop1", TESTS))
    assert mutant.source != (mutants.ROOT / FORM).read_text("utf-8")
    found = {killer: told for _, killer, told, _ in tried([mutant], 1)}
    assert found == {"olu.prop1": noticed, TESTS: noticed}
