"""Writing the report's pages, and removing those that an earlier run left."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import verify.report.page as page
import verify.report.places as places
from verify.expectation import Surprise
from verify.report.document import write_text
from verify.report.drawing import Which, drawings
from verify.report.errata import errata, remarks
from verify.report.markdown import markdown
from verify.runner import Outcome

OURS = '<meta name="generator" content="forgetproof">'


def write_pages(
    outcomes: Sequence[Outcome],
    surprises: Sequence[Surprise],
    manifest: Mapping[str, Any],
    folder: Path,
    *,
    preface: Mapping[str, Any] | None = None,
    jobs: int = 1,
    plots: Which = "all",
) -> None:
    """Writes claims, errata and, last, the index that links to them.

    Raises:
        ValueError: a file cannot be written, or the preface has no title or an unknown part.
    """
    index = page.index_page(outcomes, surprises, manifest, preface=preface)
    _make(folder, "claims", "errata", "assets")
    for name in (places.STYLE, places.SCRIPT):
        write_text(folder / name, page.asset(Path(name).name))
    drawn = drawings(outcomes, folder, jobs=jobs, which=plots)
    written = set()
    for place, outcome in enumerate(outcomes):
        path = folder / places.claim_page(outcome.claim.id)
        drawing = drawn.get(outcome.claim.id)
        write_text(path, page.claim_page_text(outcomes, place, surprises, drawing))
        written.add(path)
    for paper in page.papers_of(outcomes):
        written.update(_write_errata(paper, outcomes, manifest, folder))
    write_text(folder / places.INDEX, index)
    _remove_others(folder, written)


def _write_errata(
    paper: str, outcomes: Sequence[Outcome], manifest: Mapping[str, Any], folder: Path
) -> tuple[Path, Path]:
    entries, noted = errata(outcomes, paper), remarks(outcomes, paper)
    total = sum(o.claim.paper == paper for o in outcomes)
    formatted, text = folder / places.errata_page(paper), folder / places.errata_text(paper)
    write_text(formatted, page.errata_page_text(paper, entries, noted, total, manifest))
    write_text(text, markdown(page.errata_title(paper), entries, noted))
    return formatted, text


def _make(folder: Path, *names: str) -> None:
    for name in names:
        try:
            (folder / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(
                f"out must be writable, got {folder / name}: {error.strerror}"
            ) from error


def _remove_others(folder: Path, written: set[Path]) -> None:
    """Removes pages of claims and papers that this run had not; files of others stay."""
    for name in ("claims", "errata"):
        for path in (folder / name).glob("*.html"):
            if path not in written and OURS in path.read_text("utf-8", "replace")[:400]:
                path.unlink()
                path.with_suffix(".md").unlink(missing_ok=True)
