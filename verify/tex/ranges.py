"""What a running letter runs over, as it is written under a sum, a product or an extreme."""

from __future__ import annotations

import re
from typing import NoReturn

import mpmath as mp

from verify.tex.lookup import Lookup
from verify.tex.normalise import spelled
from verify.tex.numeric import Range
from verify.tex.tree import Tree, Unread

LETTER = r"(?P<letter>[a-z]|\\[a-z]+)"


def range_of(at: Lookup, low: tuple[str, ...], high: Tree | None, *, real: bool = False) -> Range:
    """The range written so. Raises Unread for another way to write one.

    A bare letter runs over the entries of the lists, or to its capital; under an extreme (`real`)
    it runs over numbers where there are neither: Greek ones above 1, the others above 0.
    """
    text = spelled(list(low))
    match: re.Match[str] | None
    if high is not None:
        match = _match(LETTER + "=(.*)", text) or _refuse(text)
        return Range(match["letter"], at.text(match[2]), at.value(high))
    match = _match(LETTER + r"(<|\\le) ?((?:(?!<|\\le).)*)", text)
    if match and not at.runs(match["letter"]):
        less = match[2] == "<"
        return Range(match["letter"], mp.mpf(0 if less else 1), at.text(match[3]) - less)
    if match := _match(r"(.*?)(<|\\le) ?" + LETTER + r"(?:(<|\\le)(.*))?", text):
        last = at.text(match[5]) - (match[4] == "<") if match[4] else mp.inf
        return Range(match["letter"], at.text(match[1]) + (match[2] == "<"), last)
    if match := _match(LETTER + r"(>|\\ge) ?(.*)", text):
        if real and match[2] == ">":
            return Range(match["letter"], at.text(match[3]), mp.inf, whole=False)
        last = mp.mpf(at.length) if at.length else mp.inf
        return Range(match["letter"], at.text(match[3]) + (match[2] == ">"), last)
    if match := _match(LETTER + r"\\in\\\{0,1,\\l?dots,(.*)\\\}", text):
        return Range(match["letter"], mp.mpf(0), at.text(match[2]))
    if match := _match(LETTER, text):
        return _bare(at, match["letter"], real)
    return _refuse(text)


def _bare(at: Lookup, letter: str, real: bool) -> Range:
    if at.length and len(letter) == 1:
        first = at.first(letter)
        return Range(letter, mp.mpf(first), mp.mpf(first + at.length - 1))
    if letter.upper() in at.inputs and letter.upper() != letter:
        return Range(letter, mp.mpf(1), at.inputs[letter.upper()])
    if real:
        return Range(letter, mp.mpf(letter[0] == "\\"), mp.inf, False)
    raise Unread(f"{letter} runs over nothing that is known")


def _match(pattern: str, text: str) -> re.Match[str] | None:
    return re.fullmatch(pattern, text)


def _refuse(text: str) -> NoReturn:
    raise Unread(f"{text} is no range")
