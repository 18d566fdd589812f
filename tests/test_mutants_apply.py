"""Deliberate errors: each applies, names what exists, and is run as it is listed."""

import pytest

import bounds
from tools import mutants
from tools.mutants import MUTANTS, Mutant, tried

# A claim and a test file that need no torch.
CLAIM, FORM = "sglu.k3", "bounds/sglu/loss_k_3.py"
WRONG = ("x**2 / 4, M * (x - M)", "x**2 / 2, M * (x - M)")
SAME = ("x**2 / 4, M * (x - M)", "x**2 / 4, M * (-M + x)")
TESTS = "tests/sglu/test_appendix_k.py"


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
    mutant = Mutant("one", FORM, *edit, (CLAIM, TESTS))
    assert mutant.source != (mutants.ROOT / FORM).read_text("utf-8")
    found = {killer: told for _, killer, told, _ in tried([mutant], 1)}
    assert found == {CLAIM: noticed, TESTS: noticed}
