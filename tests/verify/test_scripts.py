"""Every refuted form comes with a program of its own, which runs without this project."""

import re
import subprocess
import sys
from functools import cache

import pytest

from verify import expectation, registry
from bounds import Statement
from verify.report.document import program
from verify.runner import Settings, outcome_of, run_claim

REFUTED = ("false", "typo", "vacuous")
LONGEST = 45
# Ill-typed as they stand: nothing to compare.
DECLARED = (
    "sglu.defk.1", "olu.eq5", "olu.eq6", "hf.def2.1", "hf.eq45", "hf.eq55", "hf.eq57", "safe.eq9",
)  # fmt: skip
# Only claims with a refuted form need running here; test_claims holds these words to the evidence.
CLAIMS = [
    id
    for id, words in expectation.load().items()
    if not set(words.values()).isdisjoint(REFUTED)
]


@cache
def refuted(id):
    """(reading and form, program) of every form that a comparison refutes."""
    claim: Statement = bounds.get(id)
    outcome = outcome_of(claim, *run_claim(id, Settings()))
    assert outcome.error is None, outcome.error
    return [
        (v.key, program(outcome, v))
        for v in outcome.verdicts
        if v.word in REFUTED and v.basis != "declared"
    ]


@cache
def output(script, folder):
    found = subprocess.run(
        [sys.executable, "-I", "-c", script],
        cwd=folder, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert found.returncode == 0, found.stderr
    return found.stdout


@pytest.fixture(scope="session")
def empty(tmp_path_factory):
    return tmp_path_factory.mktemp("empty")


@pytest.mark.parametrize("id", CLAIMS)
def test_refuted_forms_have_programs_that_show_both_sides(id, empty):
    for key, script in refuted(id):
        assert script, f"{id} {key}: no program"
        numbers = re.findall(r"\d+(?:\.\d+)?(?:e[-+]\d+)?", output(script, empty))
        assert len(numbers) >= 2, f"{id} {key}: prints fewer than two numbers"
        assert "assert " in script, f"{id} {key}: asserts nothing"


@pytest.mark.parametrize("id", CLAIMS)
def test_programs_are_short_and_need_numpy_at_most(id):
    for key, script in refuted(id):
        assert len(script.splitlines()) <= LONGEST, f"{id} {key}"
        assert all(len(line) <= 100 for line in script.splitlines()), f"{id} {key}"
        modules = re.findall(r"^(?:from|import) (\w+)", script, re.MULTILINE)
        assert set(modules) <= {*sys.stdlib_module_names, "numpy"}, f"{id} {key}"


def test_refutations_are_found():
    assert sum(len(refuted(id)) for id in CLAIMS) >= 20
    assert all(refuted(id) or id in DECLARED for id in CLAIMS)
