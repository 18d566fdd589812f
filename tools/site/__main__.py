"""python -m tools.site: lays the sources, makes the pages, and looks at every link."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from pathlib import Path

import bounds
from tools.site import api, claims, commands, documents, links, pictures, schemas, search, symbols
from tools.site.extension import FACTS
from tools.site.folder import SourceFolder
from tools.site.places import BUILD, EXTRA, PAGES, SOURCE
from tools.site.uses import uses
from verify.stored import stored
from verify.words import tone_of

INDEX = """\
# forgetproof

Tells whether a machine-unlearning guarantee is true, and how little noise it really needs.

```{{toctree}}
:maxdepth: 1

tutorials/index
how-to/index
reference/index
explanation/index
gallery/index
```

## Claims, checked

{counts}
"""


def lay() -> SourceFolder:
    """Lays all sources."""
    folder = SourceFolder(SOURCE)
    names = api.public_names()
    places = api.defined_at(names)
    used = uses(places)
    extra = SourceFolder(EXTRA)
    drawn = pictures.drawn(extra, BUILD / "pictures")
    extra.sweep()
    headlines = claims.lay(folder, drawn, used)
    symbols.lay(folder, claims.SYMBOLS)
    documents.lay(folder, headlines)
    api.lay(folder, names, used)
    commands.lay(folder)
    schemas.lay(folder)
    pictures.lay_gallery(folder, drawn, headlines)
    for section, more in MORE.items():
        folder.write(f"{section}/index.md", documents.section(section, more))
    folder.write("index.md", INDEX.format(counts=_counts(headlines)))
    folder.sweep()
    _facts(headlines, places)
    return folder


MORE: dict[str, tuple[str, ...]] = {
    "tutorials": (),
    "how-to": (),
    "reference": (
        "/claims/index",
        "symbols",
        "api/index",
        "commands/index",
        "schemas/index",
        "changes",
    ),
    "explanation": ("proofs/index",),
}
"""Section -> the pages that it has beside documents."""


def _facts(headlines: dict[str, str], places: dict[str, str]) -> None:
    """What the roles need, in a file that changes only when it does."""
    told = {
        id: {"label": bounds.get(id).label, "word": word, "tone": tone_of(word)}
        for id, word in headlines.items()
    }
    names = {place.rpartition(".")[2]: full for place, full in places.items()} | places
    text = json.dumps({"claims": told, "names": names}, sort_keys=True)
    file = BUILD / FACTS
    if not file.is_file() or file.read_text("utf-8") != text:
        file.write_text(text, "utf-8")


def _counts(headlines: dict[str, str]) -> str:
    from tools.site.markdown import cell, table

    rows = []
    for paper in bounds.papers():
        kinds = Counter(headlines[id] for id in paper.statements)
        wrong = sum(stored(bounds.get(id)).wrong for id in paper.statements)
        rows.append(
            [
                f"[{cell(paper.cited)}](claims/{paper.key}/index.md)",
                str(sum(kinds.values())),
                str(wrong),
            ]
        )
    return table(("paper", "claims", "need a correction"), rows)


def build(strict: bool = True) -> int:
    """Makes the pages with Sphinx; its exit code."""
    from sphinx.cmd.build import main as sphinx

    os.environ.setdefault("OMP_NUM_THREADS", "1")
    # One process: more of them cost half as much processor time again.
    options = ["-q", "-n", "--keep-going", *(["-W"] if strict else [])]
    here = str(Path(__file__).parent)
    return int(
        sphinx([*options, "-c", here, "-d", str(BUILD / "doctrees"), str(SOURCE), str(PAGES)])
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.add_argument("--lax", action="store_true", help="warnings are no errors")
    parser.add_argument("--lay", action="store_true", help="lay the sources and stop")
    options = parser.parse_args()
    folder = lay()
    print(f"{folder.pages} pages laid in {SOURCE}")
    if options.lay:
        return 0
    if code := build(strict=not options.lax):
        return code
    found = search.index(PAGES)
    broken = list(links.faults(PAGES))
    print("\n".join(broken))
    print(f"{links.count(PAGES)} links inside, {len(broken)} broken; {PAGES / 'index.html'}")
    print("search: pagefind" if found else "search: Sphinx's own, pagefind is not installed")
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
