"""Results as plain data: complete, readable back, and free of what is not a number."""

import dataclasses
import json
import math

import pytest

import bounds
from bounds import Interpretation, Statement
from verify.evidence import Comparison, from_dict
from verify.expectation import Surprise
from verify.fingerprint import formula_hash
from verify.jsonio import loads
from verify.manifest import manifest as make_manifest
from verify.outcome import outcome_of
from verify.report.document import (
    counterexample,
    document,
    program,
    write_counterexamples,
    write_document,
)


def test_the_summary_counts_headlines_and_surprises(outcomes, manifest):
    odd = [Surprise("x.false", "literal.printed", "holds", "false")]
    summary = document(outcomes, odd, manifest)["summary"]
    assert summary["claims"] == 5
    assert list(summary["headlines"]) == ["paper"]
    assert summary["headlines"]["paper"] == {
        "holds": 1,
        "false": 1,
        "unspecified": 1,
        "reproduced in part": 1,
        "error": 1,
    }
    assert (summary["unexpected"], summary["broken"]) == (1, 1)


def test_comparisons_read_back_equal_with_infinities(outcomes, manifest, tmp_path):
    first = outcomes[1]
    worst = dataclasses.replace(first.evidence[0], bound=-math.inf, inputs={"R": math.inf})
    outcome = outcome_of(first.claim, [worst], 0.0, None)
    write_document(document([outcome], [], manifest), tmp_path / "results.json")
    text = (tmp_path / "results.json").read_text("utf-8")
    assert "Infinity" not in text
    assert "NaN" not in text
    stored = from_dict(loads(text)["claims"][0]["verdicts"][0]["worst"])
    assert stored.script == "print('<i>')\n"
    assert dataclasses.replace(stored, script="italic") == worst


def test_a_program_of_another_instance_of_the_same_form_serves_the_worst_one():
    claim = Statement(
        "x.y",
        "x",
        "inequality",
        "x",
        (Interpretation("literal", "", {"printed": "<=", "tight": "<="}),),
    )
    worst = Comparison("literal", "printed", "worst", {}, 9.0, 1.0)
    mild = Comparison("literal", "printed", "mild", {}, 2.0, 1.0, script="one")
    other = Comparison("literal", "tight", "other form", {}, 8.0, 1.0, script="two")
    outcome = outcome_of(claim, [worst, other, mild], 0.0, None)
    printed, tight = outcome.verdicts
    assert counterexample(printed) == worst
    assert program(outcome, printed) == "print(1)\n"
    assert program(outcome, tight) == "print(2)\n"


def test_what_holds_and_controls_that_pass_are_no_counterexamples():
    claim = Statement(
        "x.y",
        "x",
        "inequality",
        "x",
        (Interpretation("literal", "", {"printed": "<=", "tight": "<="}),),
    )
    fine = Comparison("literal", "printed", "fine", {}, 1.0, 2.0, script="one")
    dumb = Comparison("literal", "tight", "dumb", {}, 1.0, 2.0, role="control")
    outcome = outcome_of(claim, [fine, dumb], 0.0, None)
    assert [v.word for v in outcome.verdicts] == ["not refuted", "not run"]
    for verdict in outcome.verdicts:
        assert counterexample(verdict) is None
        assert program(outcome, verdict) is None


def test_counterexamples_no_longer_found_disappear_and_others_stay(outcomes, manifest, tmp_path):
    (found,) = write_counterexamples(outcomes, manifest, tmp_path)
    assert found.name == "x.false.literal.printed.json"
    case = json.loads(found.read_text("utf-8"))
    assert (case["claim"], case["seed"]) == ("x.false", 3)
    keep = found.with_name("mine.json")
    keep.write_text("{}")
    repaired = dataclasses.replace(outcomes[1].evidence[0], bound=3.0)
    write_counterexamples([outcome_of(outcomes[1].claim, [repaired], 0, None)], manifest, tmp_path)
    assert [p.name for p in found.parent.iterdir()] == [keep.name]


def test_names_of_interpretations_make_plain_file_names(manifest, tmp_path):
    claim = Statement(
        "x.y", "x", "inequality", "x", (Interpretation("b < n / 2", "", {"printed": "<="}),)
    )
    wrong = Comparison("b < n / 2", "printed", "x", {}, 2.0, 1.0)
    (path,) = write_counterexamples([outcome_of(claim, [wrong], 0, None)], manifest, tmp_path)
    assert path == tmp_path / "counterexamples" / "x.y.b___n___2.printed.json"


def test_an_unwritable_file_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"out must be writable.*results\.json"):
        write_document({}, tmp_path / "missing" / "results.json")


def test_the_manifest_holds_formula_and_data_hashes():
    claim = bounds.get("sglu.lem3.4")
    evidence = [
        Comparison("literal", "printed", "x", {"data_sha256": digest}, 1.0, 2.0)
        for digest in ("b", "a", "b")
    ]
    outcome = outcome_of(claim, evidence, 0.0, None)
    made = make_manifest(seed=1, profile="quick", scale=1.0, jobs=1, outcomes=[outcome])
    assert made["data"] == ["a", "b"]
    assert made["formulas"] == {claim.id: formula_hash(claim)}
    assert made["versions"]["numpy"]
