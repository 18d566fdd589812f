"""Rows of MathML that a formula is cut from: groups taken apart, brackets of a fixed size."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from xml.etree.ElementTree import Element

from verify.report.widths import width

MARK = "\u2063"
"""Stands for `\\allowbreak` in MathML: the invisible separator."""
SCRIPTED = frozenset(("msup", "msub", "msubsup"))
_BRACE = "⏟"
_LONGEST_FRACTION = 30.0
"""The widest fraction, in em, that is not set in one line."""
_LARGER = "1.8em"
_TALL = frozenset(("mfrac", "mtable", "munder", "munderover"))


def flat(row: list[Element]) -> Iterator[Element]:
    """The row without groups that only group."""
    for element in row:
        group = element.tag in ("mrow", "mstyle") and not fenced(element)
        if group:
            yield from flat(list(element))
        else:
            yield element


def fenced(element: Element) -> bool:
    """Whether it is a group between brackets that grow with it."""
    return element.tag == "mrow" and len(element) > 0 and element[0].get("fence") == "true"


def opens(element: Element) -> bool:
    """Whether a line may end within it: a brace before cases has no other end."""
    return fenced(element) and element[-1].get("fence") == "true"


def fenced_base(element: Element) -> bool:
    if element.tag in SCRIPTED:
        return fenced(element[0])
    return fenced(element)


def opened(part: list[Element]) -> list[Element]:
    """The part with what one can cut within in the place of what one cannot.

    Brackets that grow with what they hold become ones of a fixed size, text its words, a brace
    below a sum its label after the sum, and a fraction of many terms a quotient in one line.
    """
    opened: list[Element] = []
    for element in part:
        if element.tag == "mtext":
            opened += _words(element)
        elif _is_braced(element):
            opened += [*flat([element[0][0]]), *flat([element[1]])]
        elif element.tag == "mfrac" and width(element) > _LONGEST_FRACTION:
            opened += _quotient(element)
        elif opens(element):
            opened += _of_fixed_size(element)
        elif element.tag in SCRIPTED and opens(element[0]):
            *inner, last = _of_fixed_size(element[0])
            script = copy(element)
            script[0] = last
            opened += [*inner, script]
        else:
            opened.append(element)
    return opened


def _of_fixed_size(group: Element) -> list[Element]:
    tall = any(element.tag in _TALL for element in group.iter())
    row = list(flat(list(group)))
    ends = []
    for bracket in (row[0], row[-1]):
        end = Element("mo", {"stretchy": "true", "form": bracket.get("form", "prefix")})
        end.text = bracket.text
        if tall:
            end.set("minsize", _LARGER)
            end.set("maxsize", _LARGER)
        else:
            end.set("stretchy", "false")
        ends.append(end)
    return [ends[0], *row[1:-1], ends[1]]


def _words(text: Element) -> list[Element]:
    """A text as its words, between which a line may end."""
    parts = (text.text or "").replace("\N{NO-BREAK SPACE}", " ").split(" ")
    if len(parts) < 3:
        return [text]
    elements = []
    for place, word in enumerate(parts):
        last = place == len(parts) - 1
        elements.append(_element("mtext", word if last else f"{word}\N{NO-BREAK SPACE}"))
        if not last and word:
            elements.append(_element("mtext", MARK))
    return elements


def _is_braced(element: Element) -> bool:
    """Whether it is a sum above a brace with a label."""
    if element.tag != "munder" or element[0].tag != "munder":
        return False
    return element[0][1].text == _BRACE


def _quotient(fraction: Element) -> list[Element]:
    """Numerator and denominator in brackets, one after the other."""
    row = []
    for place, half in enumerate(fraction):
        if place:
            row.append(_element("mo", "/"))
        row += [_element("mo", "("), *flat([half]), _element("mo", ")")]
    return row


def _element(tag: str, text: str) -> Element:
    element = Element(tag, {"stretchy": "false"} if tag == "mo" else {})
    element.text = text
    return element
