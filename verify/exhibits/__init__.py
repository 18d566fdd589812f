"""Exhibits: what a paper comes to on data, beside the verdicts on its claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import bounds
from verify.exhibits.data import Chosen


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
        from verify.plots.figure import save_figure

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
    """The exhibit of the paper. Raises ValueError where it has none."""
    place = bounds.paper(paper).exhibit
    if not place:
        have = ", ".join(p.key for p in bounds.papers() if p.exhibit)
        raise ValueError(f"paper must be one that has an exhibit ({have}), got {paper!r}")
    found: Exhibit = resolve_name(place)
    return found


def columns(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """A table as lines."""
    widths = [max(len(str(x)) for x in column) for column in zip(header, *rows, strict=True)]
    return [
        "  " + "  ".join(str(x).ljust(w) for x, w in zip(row, widths, strict=True)).rstrip()
        for row in (header, *rows)
    ]
