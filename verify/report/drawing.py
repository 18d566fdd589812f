"""The plots of claim pages: drawn in several processes, and taken over where nothing changed."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import matplotlib as mpl
from markupsafe import Markup, escape

import bounds
from bounds import Statement
from simulators.disk import read_text
from verify import executors, plots, words
from verify.fingerprint import formula_hash
from verify.plots import Told
from verify.plots.labels import plain
from verify.report.places import claim_page
from verify.runner import Outcome

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


def drawings(
    outcomes: Sequence[Outcome], folder: Path, *, jobs: int = 1, which: Which = "all"
) -> Mapping[str, Drawing | Refusal]:
    """A plot, or the reason why there is none, of every claim that can be drawn, by id.

    A page in `folder` whose plot was drawn by the same code is not drawn again. Of "kept" plots
    none is drawn, and of "none" there are none.
    """
    found: dict[str, Drawing | Refusal] = {}
    missing: dict[str, tuple[str, Told]] = {}
    codes: dict[str, str] = {}
    for outcome in outcomes:
        claim = outcome.claim
        if which == "none" or not plots.drawable(claim):
            continue
        told = plots.told(claim, outcome).brief(bool(claim.forms))
        codes[claim.id] = _code(claim, told)
        kept = _kept(folder / claim_page(claim.id), codes[claim.id])
        if kept is not None:
            found[claim.id] = kept
        elif which == "all":
            missing[claim.id] = claim.id, told

    def record(key: tuple[str, Told], drawn: Markup | Refusal) -> None:
        id, _ = key
        found[id] = drawn if isinstance(drawn, Refusal) else Drawing(codes[id], drawn)

    if jobs > 1 and len(missing) >= WORTH:
        executors.in_processes(jobs, list(missing.values()), _named, record)
    else:
        chosen = {o.claim.id: o.claim for o in outcomes}
        for id, told in missing.values():
            record((id, told), draw(chosen[id], told))
    return found


def draw(claim: Statement, told: Told) -> Markup | Refusal:
    """The claim's plot; whatever its experiment raises becomes the reason why there is none."""
    try:
        picture = plots.picture(claim, told=told)
        svg = Markup(plots.inline_svg(picture))
    except Exception as error:  # must not cost the whole report
        return Refusal(f"No plot: {type(error).__name__}: {error}")
    caption = words.typeset(plain(picture.fixed))
    return svg + Markup("<figcaption>") + escape(caption) + Markup("</figcaption>")


def _named(key: tuple[str, Told]) -> Markup | Refusal:
    id, told = key
    return draw(bounds.get(id), told)


def _kept(page: Path, code: str) -> Drawing | None:
    try:
        match = _FIGURE.search(read_text(page))
    except (OSError, ValueError):
        return None
    return Drawing(code, Markup(match[2])) if match and match[1] == code else None


def _code(claim: Statement, told: Told) -> str:
    """Changes with formula, check and verdict, with the drawing code, and with matplotlib."""
    drawn = f"{formula_hash(claim)} {claim.id} {claim.plot!r} {told!r} {_pen()}"
    return hashlib.sha256(drawn.encode()).hexdigest()[:16]


@cache
def _pen() -> str:
    digest = hashlib.sha256(mpl.__version__.encode())
    for file in (*sorted(Path(plots.__file__ or "").parent.glob("*.py")), Path(__file__)):
        digest.update(file.read_bytes())
    return digest.hexdigest()
