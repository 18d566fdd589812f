"""How wide a formula is, in em of its own letters: enough to say where a line of it must end."""

from __future__ import annotations

import unicodedata
from xml.etree.ElementTree import Element

SPACED = 0.56
"""The spaces on both sides of a relation or of a sum's sign."""
_SCRIPTS = frozenset(("msub", "msup", "msubsup"))
_LIMITS = frozenset(("munder", "mover", "munderover"))
_SCRIPT = 0.78
"""The size of a script beside its base."""
_LARGE = frozenset("∑∏∫⋃⋂")
_NARROW = frozenset("ijlrtfI()[]{}|‖⟨⟩⌈⌉⌊⌋.,;:!'′/ ")
_WIDE = frozenset("mwMWωϖ@%")


def width(element: Element) -> float:
    """The width of a formula's element, a little more than a browser makes of it."""
    name, parts = element.tag, list(element)
    if name in ("mi", "mn", "mtext"):
        return _letters(element.text or "")
    if name == "mo":
        return _operator(element)
    if name == "mspace":
        return _length(element.get("width", "0em"))
    if name == "mfrac":
        return max(map(width, parts)) + 0.25
    if name in _SCRIPTS:
        return width(parts[0]) + _SCRIPT * max(map(width, parts[1:]))
    if name in _LIMITS:
        return max(width(parts[0]), *(_SCRIPT * width(part) for part in parts[1:]))
    if name in ("msqrt", "mroot"):
        return 0.95 + sum(map(width, parts))
    if name == "mtable":
        return _table(parts)
    return sum(map(width, parts))


def _letters(text: str) -> float:
    return sum(map(_letter, text))


def _letter(sign: str) -> float:
    if unicodedata.combining(sign):
        return 0.0
    if sign in _NARROW:
        return 0.42
    if sign in _WIDE or (sign.isupper() and sign.isascii()):
        return 0.82
    # Letters of other alphabets and of double struck or script fonts.
    return 0.85 if sign.isupper() or ord(sign) > 0x1D400 else 0.6


def _operator(element: Element) -> float:
    text = element.text or ""
    if text in _LARGE:
        return 1.6
    # A word, such as log, or a bracket; brackets of a fixed size are wider.
    if text.isalpha() and text.isascii():
        return _letters(text) + 0.2
    if text in _NARROW:
        return 0.6 if element.get("minsize") or element.get("stretchy") == "true" else 0.45
    return 0.8 + SPACED


def _table(rows: list[Element]) -> float:
    columns: list[float] = []
    for row in rows:
        for place, cell in enumerate(row):
            if place == len(columns):
                columns.append(0.0)
            columns[place] = max(columns[place], width(cell))
    return sum(columns) + 0.8 * len(columns)


def _length(text: str) -> float:
    """A length in em; nothing for one in other units, which formulas do not have."""
    try:
        return max(0.0, float(text.removesuffix("em")))
    except ValueError:
        return 0.0
