"""Writing the report's pages, and removing those that an earlier run left."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import verify.report.page as page
import verify.report.places as places
from verify.drawable import PLOT
from verify.expectation import Surprise
from verify.outcome import Outcome
from verify.report.document import write_text
from verify.report.drawing import Drawer, Drawing, Refusal
from verify.report.errata_files import paper_errata
from verify.report.rendering import assets
from verify.report.results import ClaimResult, of_run

OURS = '<meta name="generator" content="forgetproof">'


def write_pages(
    outcomes: Sequence[Outcome],
    surprises: Sequence[Surprise],
    manifest: Mapping[str, Any],
    folder: Path,
    *,
    preface: Mapping[str, Any] | None = None,
    jobs: int = 1,
    drawer: Drawer | None = None,
) -> None:
    """Writes claims, errata and, last, the index that links to them.

    Raises:
        ValueError: a file cannot be written, or the preface has no title or an unknown part.
    """
    page.index_page(outcomes, surprises, manifest, preface=preface)  # refuses a preface at once
    _make(folder, "claims", "errata", "assets")
    for name, text in assets().items():
        write_text(folder / name, text)
    drawings = (drawer or Drawer(folder)).drawings(outcomes, jobs)
    results = [of_run(outcome, manifest, surprises) for outcome in outcomes]
    paths = set()
    for place, result in enumerate(results):
        path = folder / places.claim_page(result.claim.id)
        drawing = drawings.get(result.claim.id)
        write_text(path, page.claim_page_text(results, place, drawing))
        paths.add(path)
    for paper in page.papers_of(outcomes):
        paths.update(_write_errata(paper, results, manifest, folder))
    paths |= _write_gallery(outcomes, drawings, folder)
    has_gallery = folder / places.GALLERY in paths
    # Last, so that the index never links to a page that is not there.
    index = page.index_page(outcomes, surprises, manifest, preface=preface, gallery=has_gallery)
    write_text(folder / places.INDEX, index)
    _remove_others(folder, paths)


def _write_gallery(
    outcomes: Sequence[Outcome], drawn: Mapping[str, Drawing | Refusal], folder: Path
) -> set[Path]:
    """Every plot as a file, and a page of them; nothing where nothing was drawn."""
    figures = {id: d for id, d in drawn.items() if isinstance(d, Drawing)}
    if not figures:
        return set()
    from verify.plots.svg import standalone

    _make(folder, "plots")
    paths = {folder / places.GALLERY}
    for id, drawing in figures.items():
        path = folder / places.plot_file(id)
        write_text(path, standalone(drawing.figure))
        paths.add(path)
    write_text(folder / places.GALLERY, page.gallery_page(outcomes, drawn))
    return paths


def _write_errata(
    paper: str, results: Sequence[ClaimResult], manifest: Mapping[str, Any], folder: Path
) -> set[Path]:
    errata = paper_errata(results, paper)
    formatted = folder / places.errata_page(paper)
    texts = {
        "Markdown": (places.errata_text(paper), errata.markdown()),
        "LaTeX": (places.errata_tex(paper), errata.tex()),
    }
    files = {name: path.removeprefix("errata/") for name, (path, _) in texts.items()}
    write_text(formatted, page.errata_page_text(errata, manifest, files))
    for path, text in texts.values():
        write_text(folder / path, text)
    return {formatted, *(folder / path for path, _ in texts.values())}


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
    for pattern in ("claims/*.html", "errata/*.html", "plots/*.svg", places.GALLERY):
        for path in folder.glob(pattern):
            # Pages of ours are known by a mark of their own.
            if path not in written and _is_ours(path):
                path.unlink()
                # Errata alone are written in other formats too; any other such file is not ours.
                for suffix in (".md", ".tex") if path.parent.name == "errata" else ():
                    path.with_name(f"{path.stem}{suffix}").unlink(missing_ok=True)


def _is_ours(path: Path) -> bool:
    start = path.read_text("utf-8", "replace")[:400]
    return start.startswith(PLOT) if path.suffix == ".svg" else OURS in start
