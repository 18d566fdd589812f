"""Findings as SARIF 2.1.0, the format that code scanning reads.

Static Analysis Results Interchange Format, OASIS standard of 27 March 2020: one run, one rule a
code, one result a finding.
"""

import hashlib
import math
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from forgetproof import __version__
from forgetproof.linting.codes import CODES, Diagnostic
from forgetproof.linting.findings import LintFinding, LintReport

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "mechanismClaim/v1"


def sarif(reports: Iterable[LintReport]) -> dict[str, Any]:
    """Return the log of one run over these reports, as JSON-ready data without infinities."""
    rules = [_rule(code) for code in CODES.values()]
    places = {code: place for place, code in enumerate(CODES)}
    results = [
        _result(report, finding, places[finding.code])
        for report in reports
        for finding in report.findings
    ]
    driver = {"name": "forgetproof", "semanticVersion": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: Diagnostic) -> dict[str, Any]:
    return {
        "id": code.id,
        "name": code.name,
        "shortDescription": {"text": code.compares},
        "fullDescription": {"text": code.matters},
        "help": {"text": code.explained()},
        "defaultConfiguration": {"level": code.level},
    }


def _result(report: LintReport, finding: LintFinding, rule: int) -> dict[str, Any]:
    name = report.mechanism.name
    numbers = {"claimed": finding.claimed, "lower": finding.lower, "upper": finding.upper}
    # Many files of one template share a name: which one it is belongs to the identity.
    identity = "\0".join((report.file, name, str(finding.claim), finding.code, finding.place.key))
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.level,
        "message": {"text": finding.message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri(finding.place.file)},
                    "region": {"startLine": finding.place.line},
                },
                "logicalLocations": [
                    {"fullyQualifiedName": f"{name}/{finding.place.key or 'mechanism'}"}
                ],
            }
        ],
        "partialFingerprints": {FINGERPRINT: hashlib.sha256(identity.encode()).hexdigest()},
        "properties": {n: _plain(v) for n, v in numbers.items() if v is not None},
    }


def uri(file: str) -> str:
    """A path as a URI reference: relative where the path is, file:/// where it is absolute."""
    path = PurePath(file)
    text = quote(path.as_posix(), safe="/")
    return f"file://{text}" if path.is_absolute() else text


def _plain(value: float) -> float | str:
    """JSON has no infinity; it is spelled as everywhere in forgetproof."""
    return value if math.isfinite(value) else "inf"
