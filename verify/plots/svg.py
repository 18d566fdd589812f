"""SVG files and elements: what a picture shows in words, ids apart, a page's colours."""

from __future__ import annotations

import re
from html import escape

from verify.drawable import PLOT
from verify.plots.style import VARIABLES

_VARIABLE = re.compile(r"var\((--[a-z0-9-]+)")
_PLACE = re.compile(r' (?:d|x|y|transform)="[^"]*"')
_DIGITS = re.compile(r"(\.\d\d)\d+")
_FAMILY = "'DejaVu Sans'"
FALLBACK = f"{_FAMILY}, Verdana, sans-serif"
"""Letters of the same widths, where the font is missing."""


def described(text: str, name: str, title: str, alternative: str) -> str:
    """A file or element of SVG as an image that is read out by its title and description."""
    prefix = prefixed(name)
    start = text.index("<svg") + len("<svg")
    end = text.index(">", start)
    role = f' role="img" aria-labelledby="{prefix}-title {prefix}-desc"'
    words = (
        f'<title id="{prefix}-title">{escape(title)}</title>'
        f'<desc id="{prefix}-desc">{escape(alternative)}</desc>'
    )
    return f"{text[:start]}{role}{text[start:end]}>{words}{text[end + 1 :]}"


def alone(text: str) -> str:
    """A file whose letters keep their widths where the font is missing."""
    return short(_used_ids(text.replace(_FAMILY, FALLBACK)))


def short(text: str) -> str:
    """The same picture without empty lines, with places to a hundredth of a point, and no turns by
    nothing."""
    text = re.sub(r' transform="rotate\(-0 [^)]*\)"', "", text)
    text = re.sub(r">\s+<", "><", text)
    return _PLACE.sub(lambda match: _DIGITS.sub(r"\1", match[0]), text)


def prefixed(name: str) -> str:
    """What ids of this picture begin with."""
    return re.sub(r"[^a-z0-9]", "-", name.lower())


def embeddable(text: str, name: str) -> str:
    """A file of SVG as an element of a page; `name` sets its ids apart."""
    text = text[text.index("<svg") :].strip()
    # Metadata and styles would leak into the page around it.
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r"<style.*?</style>", "", text, flags=re.S)  # would style the whole page
    prefix = prefixed(name)
    text = _used_ids(text, f"{prefix}-")
    text = re.sub(r"url\(#", f"url(#{prefix}-", text)
    text = re.sub(r'href="#', f'href="#{prefix}-', text)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, variable)
    text = re.sub(r"(font(?:-family)?: [^;'\"]*)'[^;\"]*", r"\1inherit", text)
    return short(text)


def _used_ids(text: str, prefix: str = "") -> str:
    """Without the ids that nothing refers to: they are most of matplotlib's, and would clash."""
    used = set(re.findall(r"url\(#([^)]+)\)|href=\"#([^\"]+)\"", text))
    references = {a or b for a, b in used}

    def identifier(match: re.Match[str]) -> str:
        return f' id="{prefix}{match[1]}"' if match[1] in references else ""

    return re.sub(r' id="([^"]+)"', identifier, text)


def standalone(element: str) -> str:
    """The file of an element that `embeddable` made, with the colours of a light page."""
    svg = element[: element.index("</svg>") + len("</svg>")]
    names = {_VARIABLE.match(v): colour for colour, v in VARIABLES.items()}
    colours = ";".join(f"{match[1]}:{colour}" for match, colour in names.items() if match)
    style = f"{colours};background:#ffffff;font-family:DejaVu Sans,Verdana,sans-serif"
    return f'{PLOT} style="{style}"{svg.removeprefix("<svg")}\n'
