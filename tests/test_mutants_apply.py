"""Deliberate errors: each applies, names what exists, and is run as it is listed."""

import pytest

import bounds
from tools import mutants
from tools.mutants import MUTANTS, Mutant, tried

CURVE = "accounting/group_privacy.py"
WRONG = ("np.log1p(-1 / a)", "np.log1p(-0.9 / a)")
SAME = ("_UP = 1 + 2.0**-48", "_UP = 1 + 2.0**-47")
TESTS = "tests/accounting/test_group_privacy.py"


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
    mutant = Mutant("one", CURVE, *edit, ("olu.prop1", TESTS))
    assert mutant.source != (mutants.ROOT / CURVE).read_text("utf-8")
    found = {killer: told for _, killer, told, _ in tried([mutant], 1)}
    assert found == {"olu.prop1": noticed, TESTS: noticed}
