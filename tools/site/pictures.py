"""The picture of every claim that can be drawn, and the gallery.

A picture is drawn once for its formula, check, verdict and drawing code (`verify.report.drawing`):
those of an earlier build are taken over.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from dataclasses import asdict, dataclass
from pathlib import Path

import bounds
from bounds import Statement
from tools.site.folder import SourceFolder
from tools.site.markdown import escaped, raw, verdict
from verify import words
from verify.fingerprint import formula_hash


@dataclass(frozen=True)
class Picture:
    """A drawn claim.

    file: the SVG, relative to the site's root.  words: what is to be seen, for whoever does not
    see it.  caption: what is held fixed, and remarks.  command: what draws it.
    """

    file: str
    words: str
    caption: str
    command: str


def drawn(folder: SourceFolder, store: Path) -> dict[str, Picture]:
    """Draws what can be drawn, or takes it from the store; lays the files."""
    from verify import plots

    store.mkdir(parents=True, exist_ok=True)
    code = _drawing_code()
    pictures: dict[str, Picture] = {}
    for claim in bounds.statements():
        if not plots.drawable(claim):
            continue
        key = hashlib.sha256(f"{formula_hash(claim)} {claim.id} {code}".encode()).hexdigest()[:16]
        told, image = store / f"{claim.id}-{key}.json", store / f"{claim.id}-{key}.svg"
        if not told.is_file():
            _draw(claim, told, image)
        picture = json.loads(told.read_text("utf-8"))
        if picture is None:
            continue
        pictures[claim.id] = Picture(**picture)
        folder.copy(pictures[claim.id].file, image)
    return pictures


def _draw(claim: Statement, told: Path, image: Path) -> None:
    from verify import plots
    from verify.plots.labels import plain
    from verify.plots.svg import standalone

    try:
        picture = plots.picture(claim, told=plots.gathered(claim))
    except ValueError:
        told.write_text("null", "utf-8")
        return
    image.write_text(standalone(plots.inline_svg(picture)), "utf-8")
    caption = words.typeset("; ".join(filter(None, (plain(picture.fixed), picture.note))))
    command = f"forgetproof plot {claim.id} --out {shlex.quote(claim.id + '.svg')}"
    laid = Picture(f"pictures/{claim.id}.svg", plots.alternative(picture), caption, command)
    told.write_text(json.dumps(asdict(laid)), "utf-8")


def _drawing_code() -> str:
    """Changes with the code that draws, with the recorded verdicts, and with matplotlib."""
    import matplotlib as mpl

    import verify
    from verify import plots

    digest = hashlib.sha256(mpl.__version__.encode())
    home = Path(verify.__file__).parent
    modules = sorted(Path(plots.__file__).parent.glob("*.py"))
    for file in (*modules, *sorted(home.glob("*/record.json")), Path(__file__)):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def lay_gallery(
    folder: SourceFolder, pictures: dict[str, Picture], headlines: dict[str, str]
) -> None:
    """Lays the gallery: all pictures, which a reader may narrow to a paper and a verdict."""
    kinds = [k for k in words.ORDER if any(words.kind_of(headlines[id]) == k for id in pictures)]
    papers = [p.key for p in bounds.papers() if any(id.startswith(f"{p.key}.") for id in pictures)]
    cards = []
    for id, picture in pictures.items():
        claim, word = bounds.get(id), headlines[id]
        cards.append(
            f'<li data-paper="{claim.paper}" data-verdict="{escaped(words.kind_of(word))}">'
            f'<a href="../claims/{claim.paper}/{id}.html">'
            f'<img loading="lazy" width="480" height="340" src="../{picture.file}" alt="">'
            f"<b>{escaped(claim.label)}</b> of {claim.paper}</a> {verdict(word)}"
            f"<code>{escaped(picture.command)}</code></li>"
        )
    chosen = _choice("paper", papers) + _choice("verdict", kinds)
    markup = (
        f'<form class="fp-filter" id="fp-filter">{chosen}<output></output></form>'
        f'<ul class="fp-cards">{"".join(cards)}</ul>'
    )
    folder.write(
        "gallery/index.md",
        f"# Gallery\n\n{len(pictures)} pictures: every form of a claim against what was measured,"
        " with the command that draws it.\n\n" + raw(markup),
    )


def _choice(name: str, values: list[str]) -> str:
    options = "".join(f"<option>{escaped(value)}</option>" for value in values)
    everything = '<option value="">all</option>'
    return f'<label>{name} <select name="{name}">{everything}{options}</select></label>'
