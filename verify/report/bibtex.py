"""Entries of BibTeX by which a claim, its verdict and the run behind it are cited."""

from __future__ import annotations

from collections.abc import Iterable

from bounds.library import installed
from verify import bibtex
from verify.bibtex import AUTHORS, escaped
from verify.report.results import ClaimResult


def entry(result: ClaimResult) -> str:
    """The entry of a claim, under its id."""
    claim, run = result.claim, result.verdicts.run
    paper = installed(claim.paper)
    place = f" of {paper.reference}" if paper else ""
    fields = {
        "title": f"{{{escaped(f'{claim.label}{place}: {result.headline}')}}}",
        "author": f"{{{AUTHORS}}}",
    }
    notes = [f"claim {claim.id}"]
    if run is not None:
        fields["year"] = run.date[:4]
        settings = f"{run.profile} profile, seed {run.seed}" if run.profile else ""
        notes = [f"forgetproof {run.version}".strip(), *notes, f"run of {run.date}", settings]
    fields["note"] = escaped(", ".join(filter(None, notes)))
    return bibtex.entry("misc", f"forgetproof:{claim.id}", fields)


def entries(results: Iterable[ClaimResult]) -> str:
    """The entries of several claims, as a file."""
    return "\n\n".join(map(entry, results)) + "\n"
