"""Exhibits: what a paper comes to on data, beside the verdicts on its claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from forgetproof.exhibits.data import Chosen

EXHIBITS = {
    "sglu": "forgetproof.exhibits.sglu:EXHIBIT",
    "olu": "forgetproof.exhibits.olu:EXHIBIT",
    "hf": "forgetproof.exhibits.hf:EXHIBIT",
    "mini": "forgetproof.exhibits.mini:EXHIBIT",
    "safe": "forgetproof.exhibits.safe:EXHIBIT",
}


@dataclass(frozen=True)
class Shown:
    """What an exhibit shows.

    Attributes:
        lines: the whole as text.
        document: the whole as data.
        title, paragraphs, caption, header, rows: of the page in the report.
        drawing: the figure.
        hashes: of the data that were used.
    """

    lines: Sequence[str]
    document: Mapping[str, Any]
    title: str
    paragraphs: Sequence[str]
    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    drawing: Any
    hashes: Sequence[str]

    def save(self, path: Path) -> None:
        """Writes the figure as a stand-alone SVG."""
        from verify.sglu.headline import save_figure

        save_figure(self.drawing, path)


@dataclass(frozen=True)
class Exhibit:
    """What a paper comes to on data.

    Attributes:
        show: from the chosen data and a seed.
        unread: options that it does not read -> why.
        mnist: the environment variable that tells the paper's checks where MNIST is, if any.
    """

    show: Callable[[Chosen, int], Shown]
    unread: Mapping[str, str] = field(default_factory=dict)
    mnist: str | None = None


def exhibit(paper: str) -> Exhibit:
    """The exhibit of the paper."""
    module, _, name = EXHIBITS[paper].partition(":")
    found: Exhibit = getattr(import_module(module), name)
    return found


def columns(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """A table as lines."""
    widths = [max(len(str(x)) for x in column) for column in zip(header, *rows, strict=True)]
    return [
        "  " + "  ".join(str(x).ljust(w) for x, w in zip(row, widths, strict=True)).rstrip()
        for row in (header, *rows)
    ]
