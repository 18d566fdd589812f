"""On which line of a JSON text a field stands, by its path."""

import json
import re
from collections.abc import Iterator
from json.decoder import scanstring  # type: ignore[attr-defined]

_BLANK = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r"[^,\]}\s]+")


def lines(text: str) -> dict[str, int]:
    """Path of every field -> its line from 1, such as "claims[0].epsilon" -> 12.

    The text is JSON that a parser has accepted. Of a key that stands twice, the last line.
    """
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    places: dict[str, int] = {}
    line = 0
    # Fields come in the order of the text, so that one walk over the lines is enough.
    for path, start in _fields(text):
        while line + 1 < len(starts) and starts[line + 1] <= start:
            line += 1
        places[path] = line + 1
    return places


def _fields(text: str) -> Iterator[tuple[str, int]]:
    """(path, where it begins) of every field, in the order of the text."""
    place = _blank(text, 0)
    open_paths: list[tuple[str, str, int]] = []  # path, closing sign, entries so far
    path = ""
    while True:
        sign = text[place]
        if sign in "[{":
            open_paths.append((path, "]" if sign == "[" else "}", 0))
            place = _blank(text, place + 1)
        else:
            place = _blank(text, _after_scalar(text, place))
        # Every container that ends here.
        while open_paths and text[place] == open_paths[-1][1]:
            open_paths.pop()
            place = _blank(text, place + 1)
        if not open_paths:
            return
        if text[place] == ",":
            place = _blank(text, place + 1)
        outer, end, count = open_paths.pop()
        open_paths.append((outer, end, count + 1))
        start = place
        if end == "}":
            key, place = scanstring(text, place + 1, True)
            # After the colon.
            place = _blank(text, _blank(text, place) + 1)
            path = f"{outer}.{key}" if outer else key
        else:
            path = f"{outer}[{count}]"
        yield path, start


def _blank(text: str, place: int) -> int:
    match = _BLANK.match(text, place)
    return match.end() if match else place


def _after_scalar(text: str, place: int) -> int:
    if text[place] == '"':
        return int(scanstring(text, place + 1, True)[1])
    match = _SCALAR.match(text, place)
    if match is None:
        raise json.JSONDecodeError("no value", text, place)
    return match.end()


def line_of(places: dict[str, int], key: str) -> int | None:
    """The line of the field, or of the nearest one that it lies in; None without lines.

    A path without numbers, such as "steps.clip", is that of the first entry.
    """
    path = re.sub(r"^steps\.", "steps[0].", key)
    while path:
        if path in places:
            return places[path]
        path = re.sub(r"(\.[^.\[\]]+|\[[^\[\]]*\]|^[^.\[\]]+)$", "", path)
    return None
