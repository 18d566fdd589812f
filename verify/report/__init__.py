"""The report of a run: `results.json` for programs, one self-contained HTML page for readers.

The page's libraries are imported when a page is made: words and numbers need none of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from verify.expectation import Surprise
from verify.report.document import document, write_counterexamples, write_document
from verify.runner import Outcome

__all__ = ["document", "render", "write", "write_report"]


def __getattr__(name: str) -> Any:
    """`render` and `write_report`, the page's functions."""
    if name not in ("render", "write_report"):
        raise AttributeError(f"module 'verify.report' has no attribute {name!r}")
    from verify.report import page

    return getattr(page, name)


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
    from verify.report.page import write_report

    data = document(outcomes, surprises, manifest)
    write_document(data, folder / "results.json")
    write_counterexamples(outcomes, manifest, folder)
    write_report(outcomes, surprises, manifest, folder / "report.html", preface=preface)
    return data
