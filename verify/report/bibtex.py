"""Entries of BibTeX by which a claim, its verdict and the run behind it are cited."""

from __future__ import annotations

from collections.abc import Iterable

from verify.origin import paper_of
from verify.report.results import ClaimResult

AUTHOR = "The forgetproof authors"
_SPECIAL = str.maketrans({c: rf"\{c}" for c in "&%$#_{}"} | {"\\": r"\textbackslash{}"})


def entry(result: ClaimResult) -> str:
    """The entry of a claim, under its id."""
    claim, run = result.claim, result.verdicts.run
    paper = paper_of(claim.paper)
    place = f" of {paper.reference}" if paper else ""
    fields = {
        "title": f"{{{_escaped(f'{claim.label}{place}: {result.headline}')}}}",
        "author": f"{{{AUTHOR}}}",
    }
    notes = [f"claim {claim.id}"]
    if run is not None:
        fields["year"] = run.date[:4]
        settings = f"{run.profile} profile, seed {run.seed}" if run.profile else ""
        notes = [f"forgetproof {run.version}".strip(), *notes, f"run of {run.date}", settings]
    fields["note"] = _escaped(", ".join(filter(None, notes)))
    lines = [f"  {name:<6} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{forgetproof:{claim.id},", *lines, "}"])


def entries(results: Iterable[ClaimResult]) -> str:
    """The entries of several claims, as a file."""
    return "\n\n".join(map(entry, results)) + "\n"


def _escaped(text: str) -> str:
    """The text as LaTeX prints it; letters with accents stay, which BibTeX reads today."""
    return text.translate(_SPECIAL).replace("~", r"\textasciitilde{}").replace("^", r"\^{}")
