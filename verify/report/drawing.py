"""The plots of claim pages: drawn in several processes, and taken over where nothing changed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import call
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from markupsafe import Markup, escape

import bounds
from bounds import Statement
from simulators.data.disk import read_text
from verify import executors, words
from verify.fingerprint import code_hash, formula_hash
from verify.outcome import Outcome
from verify.report.places import claim_page

if TYPE_CHECKING:
    from verify.plots import Told

# Starting processes costs seconds each; fewer plots than this are drawn here.
WORTH = 12
Which = Literal["none", "kept", "all"]
_FIGURE = re.compile(r'<figure class="plot" data-code="(\w+)">(.*?)</figure>', re.S)


@dataclass(frozen=True)
class Drawing:
    """A plot with its caption, and the hash of the code that drew it."""

    code: str
    figure: Markup


@dataclass(frozen=True)
class Refusal:
    """Why a claim that has a variable could not be drawn."""

    reason: str


@dataclass(frozen=True)
class Sketch:
    """A plot to be drawn, in this process or another."""

    id: str
    told: Told

    def __call__(self) -> Markup | Refusal:
        return draw(bounds.get(self.id), self.told)

    def code_hash(self) -> str:
        """Of all code that a plot can need, and of matplotlib."""
        paper = bounds.paper(bounds.get(self.id).paper)
        return f"{code_hash(paper.package, *filter(None, [paper.checks]))}-{_pen()}"

    def __str__(self) -> str:
        return f"the plot of {self.id}"


class Drawer:
    """A plot, or why there is none, of every claim of a run that can be drawn (`runner.Sequel`).

    A page in `folder` whose plot was drawn by the same code is not drawn again. Of "kept" plots
    none is drawn, and of "none" there are none.
    """

    def __init__(self, folder: Path, which: Which = "all") -> None:
        self.folder, self.which = folder, which
        self._found: dict[str, Drawing | Refusal] = {}
        self._codes: dict[str, str] = {}

    def work(self, outcome: Outcome) -> Sketch | None:
        """What is to be drawn of a claim; nothing the second time."""
        claim = outcome.claim
        # Known codes are of claims that were seen in this run.
        if self.which == "none" or claim.id in self._codes:
            return None
        from verify import plots

        try:
            if not plots.drawable(claim):
                return None
            verdict = plots.told(claim, outcome).brief()
        except (Exception, SystemExit) as error:  # a third-party statement may fail in any way
            self._found[claim.id], self._codes[claim.id] = _refusal(error), ""
            return None
        code = self._codes[claim.id] = _code(claim, verdict)
        # The page itself is the store: its figure carries the code that drew it.
        if cached_drawing := _kept(self.folder / claim_page(claim.id), code):
            self._found[claim.id] = cached_drawing
        return Sketch(claim.id, verdict) if self.which == "all" and not cached_drawing else None

    def take(self, work: Sketch, made: Markup | Refusal) -> None:
        """Receives what was drawn."""
        drawing = made if isinstance(made, Refusal) else Drawing(self._codes[work.id], made)
        self._found[work.id] = drawing

    def drawings(
        self, outcomes: Sequence[Outcome], jobs: int = 1
    ) -> Mapping[str, Drawing | Refusal]:
        """All plots by id, after what was not drawn during the run is drawn in `jobs` processes."""
        missing = [sketch for sketch in map(self.work, outcomes) if sketch]
        if jobs > 1 and len(missing) >= WORTH:
            executors.in_processes(jobs, missing, call, self.take)
        else:
            claims = {o.claim.id: o.claim for o in outcomes}
            for sketch in missing:
                self.take(sketch, draw(claims[sketch.id], sketch.told))
        return self._found


def draw(claim: Statement, told: Told) -> Markup | Refusal:
    """The claim's plot; whatever its experiment raises becomes the reason why there is none."""
    from verify import plots
    from verify.plots.labels import plain

    try:
        picture = plots.picture(claim, told=told)
        svg = Markup(plots.inline_svg(picture))
    except (Exception, SystemExit) as error:  # must not cost the whole report
        return _refusal(error)
    caption = words.typeset("; ".join(filter(None, (plain(picture.fixed), picture.note))))
    return svg + Markup("<figcaption>") + escape(caption) + Markup("</figcaption>")


def _refusal(error: BaseException) -> Refusal:
    return Refusal(f"No plot: {type(error).__name__}: {error}")


def _kept(page: Path, code: str) -> Drawing | None:
    try:
        match = _FIGURE.search(read_text(page))
    except (OSError, ValueError):
        return None
    return Drawing(code, Markup(match[2])) if match and match[1] == code else None


def _code(claim: Statement, told: Told) -> str:
    """Changes with formula, check and verdict, with the drawing code, and with matplotlib."""
    # Everything that the picture depends on, the evidence that it was told included.
    fingerprint = f"{formula_hash(claim)} {claim.id} {claim.plot!r} {told!r} {_pen()}"
    return hashlib.sha256(fingerprint.encode()).hexdigest()[:16]


@cache
def _pen() -> str:
    import matplotlib as mpl

    from verify import plots

    digest = hashlib.sha256(mpl.__version__.encode())
    # Every module of the plots, and this one.
    for file in (*sorted(Path(plots.__file__ or "").parent.glob("*.py")), Path(__file__)):
        digest.update(file.read_bytes())
    return digest.hexdigest()
