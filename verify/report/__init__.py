"""The report of a run: `results.json` for programs, one self-contained HTML page for readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from verify.expectation import Surprise
from verify.report.document import document, write_counterexamples, write_document
from verify.report.page import render, write_report
from verify.runner import Outcome

__all__ = ["document", "render", "write", "write_report"]


def write(
    outcomes: Sequence[Outcome],
    surprises: Sequence[Surprise],
    manifest: Mapping[str, Any],
    folder: Path,
    *,
    preface: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Writes results.json, counterexamples and report.html to `folder`; returns the document.

    Raises:
        ValueError: a file cannot be written.
    """
    data = document(outcomes, surprises, manifest)
    write_document(data, folder / "results.json")
    write_counterexamples(outcomes, manifest, folder)
    write_report(outcomes, surprises, manifest, folder / "report.html", preface=preface)
    return data
