"""A formula as several `<math>` elements, between which a browser ends a line.

No browser ends a line within `<math>`. A line may end before a relation, a plus or a minus, after a
comma, and where the TeX has `\\allowbreak`; a part that is still long is cut at the same places
within its brackets. Each part carries its width, so that the style sheet sets one smaller that
is wider than the window.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from functools import cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from markupsafe import Markup

from verify.report.mathml import mathml
from verify.report.mathml_rows import MARK, SCRIPTED, fenced_base, flat, opened
from verify.report.widths import width

LONGEST = 17.0
"""The widest part, in em, that is not cut within its brackets: what a small telephone shows."""
DEEPEST = 4
"""How many brackets deep a part is cut."""
_RELATIONS = frozenset("=<>≤≥≈≠∈∼∝≡≪≫→←⇒⇔⟸⟹⟺⊆⊂≲≳∣↔")
_SIGNS = frozenset("+−-±")
_PRODUCTS = frozenset("·⋅×")
_OPENING = frozenset("([{⟨⌈⌊")
_CLOSING = frozenset(")]}⟩⌉⌋")
_SEPARATORS = frozenset(",;")
_BARS = frozenset("|‖")
_WITH_LIMITS = frozenset(("min", "max", "inf", "sup", "lim", "∑", "∏"))
_LIMITS = {"msub": "munder", "msup": "mover", "msubsup": "munderover"}
MARGIN = 1.2
"""How much wider than `widths` says a part may be in a font of wide letters."""
_FORMULA = Markup('<span class="formula">{}</span>')
_PART = Markup('<span class="part" style="--w:{}">{}</span>')
_COMMA = Markup('<span class="part end" style="--w:{}">{}</span>')


@dataclass(frozen=True)
class _Placed:
    """An element of a row, and how many brackets are open before it and after it."""

    element: Element
    before: int
    after: int


@cache
def breakable(tex: str) -> Markup:
    """The formula in parts, or as escaped TeX in `<code>` if it cannot be converted."""
    marked = tex.replace(r"\allowbreak", rf"\text{{{MARK}}}")
    whole = mathml(marked, block=True)
    if not whole.startswith("<math"):
        return _FORMULA.format(mathml(tex))
    tree = ElementTree.fromstring(whole)
    for element in tree.iter():
        if element.tag in _LIMITS and element[0].text in _WITH_LIMITS:
            element.tag = _LIMITS[element.tag]
    parts = _cut(list(flat(list(tree))), 0)
    return _FORMULA.format(Markup("").join(map(_part, parts)))


def _part(row: list[Element]) -> Markup:
    """One `<math>` of these elements, without the marks that are left in it."""
    math = Element("math", {"displaystyle": "true"})
    group = ElementTree.SubElement(math, "mrow")
    # A sign that comes first would be set as that of a number, without its spaces.
    if _text(row[0]) in _RELATIONS | _SIGNS and len(row) > 1 and row[0].tag == "mo":
        first = copy(row[0])
        first.set("form", "infix")
        row = [first, *row[1:]]
    group.extend(map(_scripted, row))
    markup = ElementTree.tostring(math, encoding="unicode").replace(MARK, "")
    part = _COMMA if _text(row[-1]) in _SEPARATORS else _PART
    return part.format(f"{MARGIN * sum(map(width, row)):.1f}", Markup(markup))


def _scripted(element: Element) -> Element:
    """A bracket with a script beside something as high as it: alone it would not grow."""
    base = element[0] if element.tag in SCRIPTED else element
    size = base.get("minsize", "")
    if base is element or base.tag != "mo" or not size.endswith("em"):
        return element
    height = float(size.removesuffix("em"))
    group = Element("mrow")
    # Brackets are centred at a quarter of an em above the line.
    ends = {"height": f"{height / 2 + 0.25:.2f}em", "depth": f"{height / 2 - 0.25:.2f}em"}
    ElementTree.SubElement(group, "mspace", ends)
    bracket = ElementTree.SubElement(group, "mo", {"stretchy": "true", "form": "postfix"})
    bracket.text = base.text
    scripted = copy(element)
    scripted[0] = group
    return scripted


def _cut(row: list[Element], depth: int) -> list[list[Element]]:
    """The row in parts; those that are too long are cut once more, a bracket deeper."""
    parts = []
    for part in _split(row, depth):
        if depth < DEEPEST and sum(map(width, part)) > LONGEST:
            parts += _cut(opened(part), depth + 1)
        else:
            parts.append(part)
    return parts


def _split(row: list[Element], depth: int) -> Iterator[list[Element]]:
    """The row, ended wherever a line may end with so many brackets open."""
    part: list[Element] = []
    placed = list(_placed(row))
    for place, here in enumerate(placed):
        element = here.element
        if _is_gap(element) and here.before <= depth:
            # A space at which a line may end is not needed at the end of it.
            if part:
                yield part
            part = []
            continue
        previous = placed[place - 1] if place else None
        if part and previous and here.before <= depth and _ends_before(previous, here, depth):
            yield part
            part = []
        part.append(element)
    if part:
        yield part


def _ends_before(previous: _Placed, here: _Placed, depth: int) -> bool:
    """Whether a line may end between two elements."""
    if _text(previous.element) in _SEPARATORS:
        return True
    sign = _text(here.element)
    if here.element.tag == "mo" and sign in _RELATIONS:
        return True
    if here.element.tag == "mo" and sign in _SIGNS:
        return _is_operand(previous)
    if depth == 0:
        return False
    # What is long is also cut before the sign of a product, and before a factor in brackets.
    factor = here.after > here.before or fenced_base(here.element)
    return sign in _PRODUCTS or (factor and _is_closed(previous))


def _is_operand(previous: _Placed) -> bool:
    """Whether a plus or minus after it joins two terms."""
    if previous.element.tag != "mo":
        return True
    text = _text(previous.element)
    if text in _OPENING:
        return False
    if text in _BARS:
        return previous.after < previous.before
    return text in _CLOSING or text in ("!", "′", "∞")


def _is_closed(previous: _Placed) -> bool:
    return previous.after < previous.before or fenced_base(previous.element)


def _placed(row: list[Element]) -> Iterator[_Placed]:
    """The elements with how many brackets are open around them; a bar opens and closes in turn."""
    brackets: list[str] = []
    for element in row:
        before, sign = len(brackets), _text(_base(element))
        if sign in _OPENING:
            brackets.append(sign)
        elif sign in _CLOSING:
            # A bar that is open here separates two laws, as in D(P|Q).
            while brackets and brackets[-1] in _BARS:
                brackets.pop()
            if brackets:
                brackets.pop()
        elif sign in _BARS:
            if brackets[-1:] == [sign]:
                brackets.pop()
            else:
                brackets.append(sign)
        yield _Placed(element, min(before, len(brackets)), len(brackets))


def _base(element: Element) -> Element:
    """What carries scripts: a bracket may have an exponent."""
    if element.tag in SCRIPTED:
        return _base(element[0])
    return element


def _is_gap(element: Element) -> bool:
    """A wide space, the end of a line in the TeX, or a mark."""
    if element.tag == "mtext":
        return (element.text or "") == MARK
    return element.tag == "mspace" and (width(element) >= 1 or bool(element.get("linebreak")))


def _text(element: Element) -> str:
    return element.text or "" if element.tag == "mo" else ""
