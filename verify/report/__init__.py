"""The report of a run: a folder of pages for readers, and the same as JSON, CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verify.expectation import Surprise
from verify.outcome import Outcome
from verify.report import bibtex, entries, latex
from verify.report.document import document, write_counterexamples, write_document, write_text
from verify.report.results import of_run

if TYPE_CHECKING:
    from verify.report.drawing import Drawer

__all__ = ["document", "write"]


def write(
    outcomes: Sequence[Outcome],
    surprises: Sequence[Surprise],
    manifest: Mapping[str, Any],
    folder: Path,
    *,
    preface: Mapping[str, Any] | None = None,
    jobs: int = 1,
    drawer: Drawer | None = None,
) -> dict[str, Any]:
    """Writes the report of a run to `folder` and returns the document in its results.json.

    The folder then holds report.html (the index), a page for each claim and for the errata of
    each paper, results.json, claims.csv, claims.tex, claims.bib, and a file for each
    counterexample. Plots are drawn in `jobs` processes, those that `drawer` had not drawn yet while
    the checks ran. `preface` is described in `page.index_page`.

    Raises:
        ValueError: a file cannot be written, or the preface has no title or an unknown part.
    """
    from verify.report.folder import write_pages  # its libraries are needed for pages only

    data = document(outcomes, surprises, manifest)
    write_document(data, folder / "results.json")
    write_counterexamples(outcomes, manifest, folder)
    table = entries.entries(outcomes)
    write_text(folder / "claims.csv", entries.csv_text(table))
    write_text(folder / "claims.tex", latex.table(table))
    write_text(folder / "claims.bib", bibtex.entries(of_run(o, manifest) for o in outcomes))
    write_pages(outcomes, surprises, manifest, folder, preface=preface, jobs=jobs, drawer=drawer)
    return data
