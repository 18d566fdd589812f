"""The mutation script cannot rot: every mutant still applies, and names what exists."""

import importlib.util
from pathlib import Path

import bounds

SCRIPT = Path(__file__).parent / "mutants.py"


def load():
    import sys

    spec = importlib.util.spec_from_file_location("mutants", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutants"] = module
    spec.loader.exec_module(module)
    return module


def test_every_mutant_applies_and_is_noticed_by_something_that_exists():
    mutants = load()
    assert mutants.stale() == []
    assert len(mutants.MUTANTS) >= 15
    for mutant in mutants.MUTANTS:
        for killer in mutant.killers:
            if killer.startswith("tests/"):
                assert (mutants.ROOT / killer).is_file()
            else:
                bounds.get(killer)
