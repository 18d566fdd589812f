"""The search for certificates: finds some, says what it cannot; the checker needs none of it."""

import json
import re
from pathlib import Path

import pytest

import bounds
from bounds.algebra.certificates import check
from bounds.certificates import Certificate
from tools import prove

FOUND = ("sglu.lem3.4", "olu.eq2", "hf.eq49", "safe.thm1.log")


@pytest.mark.parametrize("id", FOUND)
def test_steps_are_found_from_the_formulas_alone(id):
    claim = bounds.get(id)
    interpretation = next(r for r in claim.interpretations if r.order)
    blank = Certificate(id, interpretation.name, *interpretation.order[-1])
    found = prove.attempt(blank, claim, 20, [])
    assert not found.open
    check(found, claim)
    (read,) = (Certificate(**row) for row in json.loads(f"[{prove.as_json(found)}]"))
    check(read, claim)


def test_what_is_false_is_not_proved():
    claim = bounds.get("olu.eq2")
    turned = claim.interpretations[0].relations | {"tight": ">=", "corrected": ">="}
    (first, *rest) = claim.interpretations
    claim = claim.changed(
        interpretations=(
            bounds.Interpretation(first.name, first.text, turned, proofs=first.proofs),
            *rest,
        )
    )
    blank = Certificate("olu.eq2", first.name, *claim.interpretations[0].order[0])
    assert prove.attempt(blank, claim, 1, []).open.startswith("no steps were found")


def test_an_algorithm_is_open_and_says_why():
    blank = Certificate("sglu.thm3.2", "ball", "tight", "corrected")
    found = prove.attempt(blank, bounds.get("sglu.thm3.2"), 5, [])
    assert found.open.startswith("sglu.thm3.2 (tight) has no expression")
    assert json.loads(prove.as_json(found))["open"] == found.open


def test_what_is_there_is_kept_and_counted(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["prove", "sglu.lem3.4", "guo"])
    prove.main()
    out = capsys.readouterr().out
    assert re.search(r"kept +[\d.]+ s  sglu.lem3.4 literal tight printed", out)
    assert out.splitlines()[-1] == "3 kept"


def test_what_checks_imports_nothing_of_the_search():
    for file in Path(bounds.__file__).parent.rglob("*.py"):
        assert not re.search(r"^\s*(from|import) tools\b", file.read_text("utf-8"), re.M), file
