"""The errata of a paper as files: for a page beside them, and for its authors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bounds
from bounds import Paper
from simulators.data.disk import write
from verify.origin import cited
from verify.report.document import write_text
from verify.report.errata import Erratum, errata, remarks
from verify.report.errata_tex import errata_tex
from verify.report.markdown import markdown
from verify.report.results import ClaimResult, of_record


@dataclass(frozen=True)
class PaperErrata:
    """What is to be corrected in a paper of whose own statements `total` were checked."""

    title: str
    entries: tuple[Erratum, ...]
    remarks: tuple[Erratum, ...]
    total: int

    def tex(self) -> str:
        """As LaTeX."""
        return errata_tex(self.title, self.entries, self.remarks, self.total)

    def markdown(self) -> str:
        """As Markdown, with the programs."""
        return markdown(self.title, self.entries, self.remarks)


def paper_errata(results: Sequence[ClaimResult], paper: str) -> PaperErrata:
    """The errata of a paper by the results of its claims."""
    return PaperErrata(
        f"Errata of {cited(paper)}",
        tuple(errata(results, paper)),
        tuple(remarks(results, paper)),
        sum(r.claim.paper == paper and r.claim.origin == "paper" for r in results),
    )


def recorded_errata(paper: Paper) -> PaperErrata:
    """The errata of a paper by the last recorded run; nothing is run."""
    claims = [bounds.get(id) for id in paper.statements if not bounds.lost(id)]
    return paper_errata([of_record(claim) for claim in claims], paper.key)


def write_for_authors(errata_of_paper: PaperErrata, stem: Path) -> list[Path]:
    """Writes `stem`.tex, .md and .pdf, each as a whole, and returns their paths.

    Raises ValueError where one cannot be written.
    """
    from verify.report.errata_pdf import errata_pdf  # with matplotlib

    paths = [stem.with_name(f"{stem.name}{suffix}") for suffix in (".tex", ".md", ".pdf")]
    write_text(paths[0], errata_of_paper.tex())
    write_text(paths[1], errata_of_paper.markdown())
    document = errata_pdf(
        errata_of_paper.title,
        errata_of_paper.entries,
        errata_of_paper.remarks,
        errata_of_paper.total,
    )
    try:
        write(paths[2], document)
    except OSError as error:
        raise ValueError(f"out must be writable, got {paths[2]}: {error.strerror}") from error
    return paths
