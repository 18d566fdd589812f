"""Ledgers and certificates are checked as the mechanisms that they record."""

import json

import pytest

from forgetproof.certificates import Ledger, recorded_mechanism
from forgetproof.cli import run
from forgetproof.linting import lint
from forgetproof.linting.targets import sources

MECHANISM = {
    "schema": "forgetproof/mechanism/1",
    "name": "noisy logistic steps",
    "n": 1437,
    "relation": {"adjacency": "zero", "rows": 1},
    "losses": "scalar",
    "smoothness": 0.25,
    "steps": [
        {
            "count": 1,
            "sees": True,
            "batches": {"drawn": "full"},
            "clip": {"norm": 1, "each": "row"},
            "divisor": {"value": 1437, "is": "constant"},
            "noise": {"deviation": 8.0, "on": "sum"},
            "step_size": 1.0,
            "decay": 0.02,
        }
    ],
    "released": "last",
    "requests": "oblivious",
    "claims": [{"epsilon": 2.0, "delta": 1e-5}],
}


@pytest.fixture
def ledger(tmp_path):
    book = Ledger.open(tmp_path, {"mechanism": MECHANISM, "budget": {"rows": 5, "steps": 999}})
    book.append("train", steps=100)
    request = book.append("request", rows=[book.digest("u17")], steps=60)
    book.append("unlearned", request=request, steps=60)
    return book


def test_a_ledger_is_what_it_says_was_executed(ledger):
    before = ledger.path.read_bytes()
    (source,) = sources(str(ledger.path))
    assert [(step.count, step.sees) for step in source.mechanism.steps] == [(100, 1), (60, 0)]
    (verdict,) = lint(source.mechanism).verdicts
    assert verdict.word == "holds"
    assert ledger.path.read_bytes() == before


def test_a_certificate_is_judged_by_what_it_certifies(ledger, tmp_path, capsys):
    mechanism = recorded_mechanism(ledger.history)
    upper = lint(mechanism).verdicts[0].comparison.upper
    path = tmp_path / "certificate.json"
    for epsilon, code, word in ((1.01 * upper, 0, "holds"), (0.9 * upper, 1, "FALSE")):
        claim = {"epsilon": epsilon, "delta": 1e-5}
        path.write_text(json.dumps({"predicate": {"mechanism": mechanism, "claim": claim}}))
        assert run(["lint", str(path)]) == code
        text = capsys.readouterr().out
        assert "claims[0]  holds" in text
        assert f"claims[1]  {word}" in text


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.jsonl", "", "target: "),
        ("x.jsonl", "{}\n", "target: "),
        ("c.json", '{"predicate": {}}', "predicate.mechanism must be an object"),
        ("c.json", '{"predicate": {"mechanism": {}}}', "schema must be given"),
    ],
)
def test_what_records_nothing_is_refused(tmp_path, capsys, name, text, message):
    path = tmp_path / name
    path.write_text(text)
    assert run(["lint", str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
