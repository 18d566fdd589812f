"""Text that someone wrote in Markdown as HTML: paragraphs and `code`, everything else as it is."""

import re

from markupsafe import Markup

_PARAGRAPH = Markup("<p>{}</p>")
_CODE = Markup("<code>{}</code>")


def prose(text: str) -> Markup:
    """Paragraphs, which an empty line ends, with `code` between backticks; all of it escaped."""
    parts = (" ".join(part.split()) for part in re.split(r"\n\s*\n", text))
    return Markup("\n").join(_PARAGRAPH.format(_inline(part)) for part in parts if part)


def _inline(text: str) -> Markup:
    """Every second piece between backticks is code; one without an end is text."""
    pieces = text.split("`")
    # An odd number of backticks: the last one is a character.
    if len(pieces) % 2 == 0:
        pieces[-2:] = ["`".join(pieces[-2:])]
    return Markup("").join(
        _CODE.format(p) if i % 2 else Markup.escape(p) for i, p in enumerate(pieces)
    )
