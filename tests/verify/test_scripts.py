"""Every refuted form comes with a program of its own (`test_programs` runs them all)."""

from functools import cache

import pytest

import bounds
from bounds import Statement
from verify import expectation
from verify.report.document import program
from verify.runner import Settings, outcome_of, run_claim

REFUTED = ("false", "typo", "vacuous")
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


@pytest.mark.parametrize("id", CLAIMS)
def test_refuted_forms_have_programs(id):
    for key, script in refuted(id):
        assert script, f"{id} {key}: no program"


def test_refutations_are_found():
    assert sum(len(refuted(id)) for id in CLAIMS) >= 20
    assert all(refuted(id) or id in DECLARED for id in CLAIMS)
