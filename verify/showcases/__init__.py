"""Showcases: what a paper comes to on data, beside the verdicts on its claims.

`forgetproof demo` shows the one that a paper names "demo"; the others are its figures and tables,
which `forgetproof reproduce` runs: `rows` makes one of rows and printed numbers, each a number of
`cells`, `data` says which data were chosen, `work` keeps what is finished.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import bounds
from bounds.library import DEMO, blame
from verify.showcases.data import Chosen


@dataclass(frozen=True)
class Shown:
    """What a showcase shows.

    Attributes:
        lines: the whole as text.
        document: the whole as data.
        title, paragraphs, caption, header, rows: of the page in the report.
        drawing: the figure; None where there is nothing to draw.
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
class Showcase:
    """What a paper comes to on data.

    Attributes:
        show: from the chosen data and a seed.
        unread: options that it does not read -> why.
        mnist: the environment variable that tells the paper's checks where MNIST is, if any.
        title: in a line.
        why: the reason where none of it can be run here.
    """

    show: Callable[[Chosen, int], Shown]
    unread: Mapping[str, str] = field(default_factory=dict)
    mnist: str | None = None
    title: str = ""
    why: str = ""


def showcase(name: str) -> Showcase:
    """The showcase of this name, such as KEY.table4.

    Raises ValueError where there is none, or a third party's cannot be used.
    """
    key, _, own = name.partition(".")
    owner = bounds.paper(key)
    place = owner.showcases.get(own)
    if not place:
        have = ", ".join(f"{owner.key}.{each}" for each in owner.showcases) or "none"
        raise ValueError(f"showcase must be one that {owner.key} has ({have}), got {name!r}")
    try:
        target = resolve_name(place)
        if not isinstance(target, Showcase):
            raise TypeError(f"{place} is no Showcase")
    except (Exception, SystemExit) as error:  # a third-party package may fail in any way
        if not owner.foreign:
            raise
        what = f"the showcase {name} of {owner.distribution}"
        blame(what, error)
        raise ValueError(f"{what} cannot be used: {bounds.library.broken()[what]}") from error
    return target


def reproduced(paper: str | None = None) -> dict[str, Showcase]:
    """Name -> showcase, of all figures and tables that papers (or this one) declare.

    A third party's that cannot be used is left out, and blamed.
    """
    showcases = {}
    for owner in bounds.papers() if paper is None else [bounds.paper(paper)]:
        for own in owner.showcases:
            name = f"{owner.key}.{own}"
            if own == DEMO:
                continue
            try:
                showcases[name] = showcase(name)
            except ValueError:
                if not owner.foreign:
                    raise
    return showcases


def columns(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """A table as lines."""
    widths = [max(len(str(x)) for x in column) for column in zip(header, *rows, strict=True)]
    return [
        "  " + "  ".join(str(x).ljust(w) for x, w in zip(row, widths, strict=True)).rstrip()
        for row in (header, *rows)
    ]
