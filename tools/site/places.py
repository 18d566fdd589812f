"""Where each document stands on the site, and where the site is built."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "site"
SOURCE, EXTRA, PAGES = BUILD / "source", BUILD / "extra", BUILD / "html"
DOCS = ROOT / "docs"
PROOFS = ROOT / "bounds" / "own"

SECTIONS = {
    "tutorials": (
        "Tutorials",
        "Ten minutes each, from the first command to an answer. What is shown was run when these"
        " pages were made, or is run by the test suite.",
        (
            "is-it-true.md",
            "how-much-noise.md",
            "my-algorithm.md",
            "forget.md",
            "opacus.md",
            "pytest.md",
            "your-paper.md",
            "deletion_noise.ipynb",
        ),
    ),
    "how-to": (
        "How-to guides",
        "One task each, for whoever knows what they want.",
        (
            "command-line.md",
            "data.md",
            "dp-sgd-rows.md",
            "engine.md",
            "certificates.md",
            "river.md",
            "audit.md",
            "check-bound.md",
            "lint.md",
            "interop.md",
            "experiments.md",
            "search.md",
            "pictures.md",
            "add-a-claim.md",
            "reproduce.md",
            "reproduce-sglu-mini-safe.md",
            "long-work.md",
        ),
    ),
    "reference": (
        "Reference",
        "Every claim, command, public name and file format.",
        (
            "problems.md",
            "mechanism.md",
            "symbolic.md",
            "limits.md",
            "glossary.md",
            "versions.md",
        ),
    ),
    "explanation": (
        "Explanation",
        "Why the numbers are what they are.",
        (
            "verdicts.md",
            "proofs.md",
            "accounting.md",
            "sampled-batches.md",
            "trajectories.md",
            "streams.md",
            "results.md",
            "architecture.md",
            "performance.md",
        ),
    ),
}
"""Folder of the site -> title, a sentence, and its documents, which lie in docs/."""
EXECUTED = ("is-it-true.md", "how-much-noise.md", "my-algorithm.md")
"""Tutorials whose blocks are run when the site is built, with their output beside them."""
LISTS = ("README.md",)
"""Documents that list others, which the site's contents do instead."""


def address(document: str) -> str:
    """The page of a document, relative to the site's root and without a suffix."""
    stem = document.removesuffix(".md").removesuffix(".ipynb")
    for folder, (_, _, documents) in SECTIONS.items():
        if document in documents:
            return f"{folder}/{stem}"
    raise ValueError(f"document must stand in a section of tools/site/places.py, got {document!r}")


def documents() -> list[str]:
    """All documents that have a place, by section."""
    return [name for _, _, names in SECTIONS.values() for name in names]
