"""Deliberate errors: each applies, names what exists, and is run as it is listed."""

import pytest

import bounds
from tools import mutants
from tools.mutants import MUTANTS, Mutant, tried

FORM = "bounds/mini/equation_7_8.py"
WRONG = ("gamma / (1 + gamma)", "gamma / (1 - gamma)")
SAME = ("gamma / (1 + gamma)", "gamma / (gamma + 1)")
TESTS = "tests/bounds/test_reference_mini_theorem.py"


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
    mutant = Mutant("one", FORM, *edit, ("mini.eq7", TESTS))
    assert mutant.source != (mutants.ROOT / FORM).read_text("utf-8")
    found = {killer: told for _, killer, told, _ in tried([mutant], 1)}
    assert found == {"mini.eq7": noticed, TESTS: noticed}
