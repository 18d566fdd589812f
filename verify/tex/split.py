"""A printed formula taken apart: the sides of its claim, the definitions after it, remarks."""

from collections.abc import Iterator
from dataclasses import dataclass

from verify.tex.cursor import Tokens
from verify.tex.normalise import tokens

OPENING = {"(", "[", "{", r"\{", r"\lceil", r"\lfloor"}
CLOSING = {")", "]", "}", r"\}", r"\rceil", r"\rfloor"}
RELATIONS = {
    "=",
    "<",
    ">",
    r"\le",
    r"\ge",
    r"\approx",
    r"\to",
    r"\leftarrow",
    r"\propto",
    r"\sim",
    r"\ll",
    r"\in",
    r"\neq",
}
FOLLOWS = r"\Rightarrow"


@dataclass(frozen=True)
class Parts:
    """A formula's parts, as tokens.

    Attributes:
        sides: of the claim, from left to right (one, where it is a mere expression).
        relations: between them.
        definitions: of names, and equations, that follow the claim.
    """

    sides: tuple[Tokens, ...]
    relations: tuple[str, ...]
    definitions: tuple[tuple[Tokens, Tokens], ...]


def split(text: str) -> Parts:
    """The parts of normalised TeX.

    They stand between commas, semicolons and wide spaces outside of brackets. The claim is the
    first, or what follows an arrow of implication.
    """
    segments: list[Tokens] = [[]]
    claim = 0
    for token, depth in levels(tokens(text)):
        if depth == 0 and token in (",", ";", r"\quad", FOLLOWS):
            segments.append([])
            if token == FOLLOWS:
                claim = len(segments) - 1
        else:
            segments[-1].append(token)
    sides, relations = chain(segments[claim])
    rest = [chain(part) for i, part in enumerate(segments) if part and i != claim]
    definitions = tuple((s[0], s[1]) for s, r in rest if r and r[0] in ("=", r"\leftarrow"))
    return Parts(tuple(sides), tuple(relations), definitions)


def chain(part: Tokens) -> tuple[list[Tokens], list[str]]:
    """Sides and relations of one part; `:=` counts as equality."""
    sides: list[Tokens] = [[]]
    relations: list[str] = []
    for token, depth in levels(part):
        if depth == 0 and token in RELATIONS:
            if sides[-1] == [] and not relations:  # a formula that begins with its relation
                continue
            if token == "=" and sides[-1][-1:] == [":"]:
                sides[-1].pop()
            relations.append(token)
            sides.append([])
        else:
            sides[-1].append(token)
    return sides, relations


def levels(part: Tokens) -> Iterator[tuple[str, int]]:
    """Every token, with the number of brackets open around it."""
    depth = 0
    for token in part:
        depth -= token in CLOSING or token.startswith(r"\end{")
        yield token, depth
        depth += token in OPENING or token.startswith(r"\begin{")
