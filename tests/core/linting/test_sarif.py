"""SARIF 2.1.0: the log has what the published schema asks of the parts that it uses.

The schema below is an excerpt in our own words of the OASIS schema's object definitions: required
properties, types and words; the whole schema takes a few hundred properties that we do not write.
"""

import json
from pathlib import Path

import pytest

from forgetproof.cli import run
from forgetproof.json_schema import JsonSchema
from forgetproof.linting.codes import CODES
from forgetproof.linting.sarif import sarif, uri

FOLDER = Path(__file__).resolve().parents[3] / "docs" / "mechanisms"
TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
RULE = {
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {"type": "string"},
        "name": {"type": "string"},
        "shortDescription": TEXT,
        "fullDescription": TEXT,
        "help": TEXT,
        "defaultConfiguration": {"type": "object", "properties": {"level": LEVEL}},
    },
    "additionalProperties": False,
}
REGION = {
    "type": "object",
    "required": ["startLine"],
    "properties": {"startLine": {"type": "integer", "minimum": 1}},
    "additionalProperties": False,
}
LOCATION = {
    "type": "object",
    "properties": {
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "properties": {"uri": {"type": "string"}},
                    "additionalProperties": False,
                },
                "region": REGION,
            },
            "additionalProperties": False,
        },
        "logicalLocations": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"fullyQualifiedName": {"type": "string"}},
                "additionalProperties": False,
            },
        },
    },
    "additionalProperties": False,
}
RESULT = {
    "type": "object",
    "required": ["message"],
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": -1},
        "level": LEVEL,
        "message": TEXT,
        "locations": {"type": "array", "items": LOCATION},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
        "properties": {"type": "object"},
    },
    "additionalProperties": False,
}
DRIVER = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "semanticVersion": {"type": "string"},
        "rules": {"type": "array", "items": RULE, "uniqueItems": True},
    },
    "additionalProperties": False,
}
RUN = {
    "type": "object",
    "required": ["tool"],
    "properties": {
        "tool": {"type": "object", "required": ["driver"], "properties": {"driver": DRIVER}},
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "results": {"type": "array", "items": RESULT},
    },
    "additionalProperties": False,
}
LOG = {
    "type": "object",
    "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string"},
        "version": {"enum": ["2.1.0"]},
        "runs": {"type": "array", "items": RUN, "minItems": 1},
    },
    "additionalProperties": False,
}
WRONG = ("wrong-flat-curve", "wrong-no-noise", "conditional-estimated", "right-curve")


@pytest.fixture
def log(tmp_path, capsys):
    out = tmp_path / "lint.sarif"
    files = [str(FOLDER / f"{name}.mechanism.json") for name in WRONG]
    assert run(["lint", *files, "--sarif", str(out)]) == 1
    capsys.readouterr()
    text = out.read_text("utf-8")
    assert "Infinity" not in text
    return json.loads(text)


def test_the_log_has_the_form_of_sarif(log):
    assert list(JsonSchema(LOG).faults(log)) == []


def test_every_result_has_its_rule_and_an_identity_of_its_own(log):
    (one,) = log["runs"]
    rules = one["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(CODES)
    for result in one["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    prints = [result["partialFingerprints"]["mechanismClaim/v1"] for result in one["results"]]
    assert len(set(prints)) == len(prints) > 3
    places = [
        r["locations"][0]["physicalLocation"] for r in one["results"] if r["ruleId"] == "FP208"
    ]
    assert [(p["artifactLocation"]["uri"], p["region"]["startLine"]) for p in places] == [
        ("src/training/trainer.py", 855)
    ]


def test_nothing_found_is_a_log_without_results():
    empty = sarif([])
    assert list(JsonSchema(LOG).faults(empty)) == []
    assert empty["runs"][0]["results"] == []


@pytest.mark.parametrize(
    ("file", "reference"),
    [
        ("a b/ü.json", "a%20b/%C3%BC.json"),
        ("/tmp/x.json", "file:///tmp/x.json"),
        ("module:OBJECT", "module%3AOBJECT"),
    ],
)
def test_a_place_is_a_uri_reference(file, reference):
    assert uri(file) == reference
