"""Links and anchors inside a built site that lead nowhere, and what a page would ask a network for.

python -m tools.site.links build/site/html
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_ASKED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}
"""Element -> the attribute whose file a browser asks for by itself."""
_NO_FILE = ("canonical", "alternate", "author", "license")


@dataclass
class _Page(HTMLParser):
    """The anchors and links of a page."""

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids.update(filter(None, (values.get("id"), values.get("name"))))
        self.links += filter(None, (values.get("href"), values.get("src")))
        if values.get("rel") not in _NO_FILE and (file := values.get(_ASKED.get(tag, ""))):
            self.asked.append(file)


def faults(root: Path) -> Iterator[str]:
    """Every broken link, missing anchor and file of another host, a line each."""
    root = root.resolve()
    pages: dict[Path, _Page] = {}
    for file in _files(root):
        pages[file] = _Page()
        pages[file].feed(file.read_text("utf-8"))
    exists: dict[Path, bool] = {}
    for file, page in pages.items():
        name = file.relative_to(root)
        for link in page.asked:
            if _outside(link) and not link.startswith("data:"):
                yield f"{name}: asks another host for {link}"
        for link in page.links:
            if _outside(link):
                continue
            address = urlsplit(link)
            target = (file.parent / unquote(address.path)).resolve() if address.path else file
            if address.path.endswith("/"):
                target /= "index.html"
            if target not in exists:
                exists[target] = target.is_file()
            anchor = unquote(address.fragment)
            if not exists[target]:
                yield f"{name}: no file {link}"
            elif anchor and target in pages and anchor not in pages[target].ids:
                yield f"{name}: no anchor {link}"


def count(root: Path) -> int:
    """How many links lead to a place inside."""
    total = 0
    for file in _files(root):
        page = _Page()
        page.feed(file.read_text("utf-8"))
        total += sum(not _outside(link) for link in page.links)
    return total


def _files(root: Path) -> list[Path]:
    """All pages; the theme keeps a template among its files, which no page shows."""
    return [file for file in sorted(root.rglob("*.html")) if "_static" not in file.parts]


def _outside(link: str) -> bool:
    return bool(urlsplit(link).scheme) or link.startswith("//")


if __name__ == "__main__":
    broken = list(faults(Path(sys.argv[1])))
    print("\n".join(broken))
    sys.exit(bool(broken))
