"""Every claim's check runs and says what is expected of it; expectations never steer verdicts.

Every refuted form comes with a program of its own (`test_programs` runs them all).
"""

import json
from functools import cache
from pathlib import Path

import pytest

import bounds
from forgetproof.testing.properties import Properties
from verify import expectation, record, runner, self_tests
from verify.evidence import Reproduction
from verify.report.document import program

LEDGER = json.loads((Path(__file__).parent / "ledger_ids.json").read_text("utf-8"))
CLAIMS = bounds.statements()
ABOUT = {"date": "2026-01-01", "versions": {"forgetproof": "0"}, "profile": "quick", "seed": 0}
REFUTED = ("false", "typo", "vacuous")
# Ill-typed as they stand: nothing to compare.
DECLARED = (
    "sglu.defk.1",
    "olu.eq5",
    "olu.eq6",
    "hf.def2.1",
    "hf.eq45",
    "hf.eq55",
    "hf.eq57",
    "safe.eq9",
)
WITH_REFUTED = [
    id for id, words in expectation.load().items() if not set(words.values()).isdisjoint(REFUTED)
]


@pytest.fixture(autouse=True, scope="module")
def forms_are_as_written():
    """Held at many more points by `test_contract` here and tests/whole/bounds/test_forms.py.

    That simulators agree with their exact laws is held by tests/core/verify/test_self_tests.py.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runner, "transcribed", lambda claim: ())
        patch.setattr(self_tests, "departure", lambda module: None)
        yield


@cache
def outcome(id):
    return runner.run([id])[0]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.id)
def test_verdicts_are_as_expected(claim):
    found = outcome(claim.id)
    assert found.error is None, found.error
    assert expectation.surprises([found], expectation.load()) == []


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: c.id)
def test_the_record_says_what_a_fresh_run_says(claim):
    stored = record.of_claim(claim)
    assert stored is not None
    fresh = record.recorded(outcome(claim.id), ABOUT, stored)
    assert record.differences(fresh, stored) == []
    # A verdict that changed is a line of its history.
    assert stored.history[-1]["headline"] == stored.headline


class TestOnData(Properties):
    """Here, because the checks have just made these runs; the others are in test_properties."""

    test_forms_survive_inputs_that_are_drawn = None
    test_forms_go_the_way_that_is_claimed = None


@pytest.mark.parametrize("id", [id for ids in LEDGER.values() for id in ids])
def test_every_statement_of_the_paper_has_a_claim_a_formula_or_reason_and_a_verdict(id):
    claim = bounds.get(id)
    assert outcome(claim.id).verdicts
    assert all(v.word != "not run" for v in outcome(claim.id).verdicts)


def test_flipped_expectations_change_no_verdict(tmp_path):
    wrong = {"sglu.lem3.4": {"literal.printed": "false", "literal.tight": "vacuous"}}
    file = tmp_path / "expected.json"
    file.write_text(json.dumps(wrong))
    found = outcome("sglu.lem3.4")
    surprises = expectation.surprises([found], expectation.load(file))
    assert [v.word for v in found.verdicts] == ["holds", "holds"]
    assert {(s.expected, s.found) for s in surprises} == {("false", "holds"), ("vacuous", "holds")}


def refuted(id):
    """(interpretation and form, program) of every refuted form; tables show rows."""
    found = outcome(id)
    return [
        (v.key, program(found, v))
        for v in found.verdicts
        if v.word in REFUTED and v.worst is not None
    ]


@pytest.mark.parametrize("id", WITH_REFUTED)
def test_refuted_forms_have_programs(id):
    for key, script in refuted(id):
        assert script, f"{id} {key}: no program"


def test_refutations_are_found():
    """By a comparison, by the paper's own table, of which rows differ, or by declaration."""
    assert sum(len(refuted(id)) for id in WITH_REFUTED) >= 20
    without = [id for id in WITH_REFUTED if not refuted(id) and id not in DECLARED]
    assert [id for id in without if not rows_that_differ(id)] == []


def rows_that_differ(id):
    """The rows of the tables that refute a form and that show another number than the paper's."""
    found = outcome(id)
    against = {v.key for v in found.verdicts if v.word in REFUTED}
    tables = [e for e in found.evidence if isinstance(e, Reproduction)]
    return [
        row
        for table in tables
        if f"{table.interpretation}.{table.form}" in against
        for row in table.rows
        if not row["match"]
    ]
