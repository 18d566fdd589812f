"""Planted slips are called false, and correct settings are left alone."""

from collections import Counter

import pytest

from forgetproof.linting import lint

KINDS = {
    "twice the noise": "FP204",
    "noise over the root of 2": "FP204",
    "the order left out": "FP208",
    "sum or mean": "FP204",
    "one step more": "FP206",
    "shuffled": "FP201",
    "in the order of the file": "FP201",
    "n or n - 1": "FP202",
    "delta of every step": "FP208",
}


def test_planted_slips_are_called_false_with_their_reason(full):
    pytest.importorskip("dp_accounting")
    from tests.core.linting.planted import planted

    slips = list(planted(few=not full))
    assert len(slips) == (40 if full else 36)
    assert {kind for kind, _ in slips} == set(KINDS)
    missed = Counter()
    for kind, mechanism in slips:
        found = lint(mechanism)
        codes = {finding.code for finding in found.findings}
        missed[kind] += found.verdicts[-1].word != "false" or not {"FP100", KINDS[kind]} <= codes
    assert sum(missed.values()) <= 2, missed


def test_correct_settings_are_left_alone(full):
    pytest.importorskip("dp_accounting")
    pytest.importorskip("opacus")
    from tests.core.linting.right import settings

    every = settings(few=not full)
    assert len(every) == (32 if full else 26)
    for name, mechanism in every.items():
        found = lint(mechanism)
        assert [verdict.word for verdict in found.verdicts] == ["holds"], name
        assert found.findings == (), name
