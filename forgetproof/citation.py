"""What to cite: BibTeX of forgetproof, and of a paper whose claim was looked at."""

from __future__ import annotations

from bounds import Paper
from forgetproof import __version__

AUTHORS = "The forgetproof authors"
TITLE = "forgetproof"
_SPECIAL = str.maketrans({c: rf"\{c}" for c in "&%$#_{}"} | {"\\": r"\textbackslash{}"})


def escaped(text: str) -> str:
    """The text as LaTeX and BibTeX print it; accented letters stay, which both read today."""
    return text.translate(_SPECIAL).replace("~", r"\textasciitilde{}").replace("^", r"\^{}")


def of_the_tool() -> str:
    """The entry of forgetproof, in the version that is installed."""
    fields = {"title": f"{{{TITLE}}}", "author": f"{{{AUTHORS}}}", "version": __version__}
    return _entry("software", "forgetproof", fields)


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
    return _entry("misc", paper.key, fields)


def _entry(kind: str, key: str, fields: dict[str, str]) -> str:
    width = max(map(len, fields))
    lines = [f"  {name:<{width}} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])
