"""Where each page of a report lies, relative to the report's folder."""

import re

INDEX, GALLERY = "report.html", "gallery.html"
STYLE, SCRIPT = "assets/style.css", "assets/index.js"
PAGE_SCRIPT = "assets/page.js"


def plain(name: str) -> str:
    """The name with whatever a file name or a fragment must not hold as underscores."""
    return re.sub(r"[^A-Za-z0-9._-]", "_", name)


def claim_page(id: str) -> str:
    """The page of a claim."""
    return f"claims/{plain(id)}.html"


def plot_file(id: str) -> str:
    """The plot of a claim as a file of its own."""
    return f"plots/{plain(id)}.svg"


def errata_page(paper: str) -> str:
    """The page of a paper's errata."""
    return f"errata/{plain(paper)}.html"


def errata_text(paper: str) -> str:
    """The errata of a paper as Markdown."""
    return f"errata/{plain(paper)}.md"


def errata_tex(paper: str) -> str:
    """The errata of a paper as LaTeX."""
    return f"errata/{plain(paper)}.tex"


def counterexample_file(id: str, key: str) -> str:
    """The counterexample to the form "interpretation.form" of a claim."""
    return f"counterexamples/{plain(f'{id}.{key}')}.json"
