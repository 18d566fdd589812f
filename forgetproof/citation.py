"""What to cite: BibTeX of forgetproof, and of a paper whose claim was looked at."""

from __future__ import annotations

from bounds import Paper
from forgetproof import __version__
from verify.bibtex import AUTHORS, entry, escaped

TITLE = "forgetproof"


def of_the_tool() -> str:
    """The entry of forgetproof, in the version that is installed."""
    fields = {"title": f"{{{TITLE}}}", "author": f"{{{AUTHORS}}}", "version": __version__}
    return entry("software", "forgetproof", fields)


def of_paper(paper: Paper) -> str:
    """The entry of a paper, under its key; what it does not say is left out."""
    fields = {
        "title": f"{{{escaped(paper.title)}}}",
        "author": " and ".join(escaped(author) for author in paper.authors),
        "year": str(paper.year),
    }
    if paper.arxiv:
        fields |= {"eprint": f"{paper.arxiv}{paper.version}", "archivePrefix": "arXiv"}
    if paper.edition:
        fields["note"] = escaped(f"Version of arXiv that was read: {paper.edition}")
    return entry("misc", paper.key, fields)
