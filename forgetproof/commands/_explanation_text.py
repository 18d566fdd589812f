"""An explanation as text: a line's head on the left, at most 25 lines of 92 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verify.explanation import Explanation, LabelPart

COLUMNS = 92
LINES = 25
MARGIN = 13
CUT = "[…]"
"""Ends a text of which lines are left out."""
MOST = {"What fails": 4, "Example": 3, "Read as": 2, "It stands if": 2, "Formula": 4, "Parts": 1}
MOST_OTHERWISE = 3
"""Lines of a section in short; of the citation all."""
UNTESTED = ("not checkable", "not run")
"""Verdicts of which the reason stands in place of a test."""
KEPT = ("", "Cite", "Next", "Parts", "Note")
"""Sections that lose no line where all together have too many."""


@dataclass
class Section:
    """A head and its lines; ends: how many of the last are a remark that stays."""

    head: str
    lines: list[str]
    ends: int = 0

    def cut(self, most: int) -> None:
        """Leaves out lines before the remark, so that `most` are left, two at least with one."""
        body = self.lines[: len(self.lines) - self.ends]
        remark = self.lines[len(body) :]
        room = max(most - len(remark), 1)
        if len(body) > room:
            body = [*body[: room - 1], _shortened(body[room - 1])]
        self.lines = [*body, *remark]


def short_text(explanation: Explanation) -> str:
    """At most 25 lines; a text that is cut ends in a sign that says so."""
    sections = list(_sections(explanation))
    _fit(sections)
    return _text(sections)


def full_text(explanation: Explanation, ways: Iterable[str]) -> str:
    """All lines, with every way to read the claim and the history of its verdict."""
    sections = list(_sections(explanation, ways, full=True))
    return _text(sections)


def _text(sections: Iterable[Section]) -> str:
    lines: list[str] = []
    for section in sections:
        heads = [section.head, *[""] * (len(section.lines) - 1)]
        if not section.head:
            lines += section.lines
            continue
        lines += [
            f"{head:<{MARGIN}}{line}" for head, line in zip(heads, section.lines, strict=True)
        ]
    return "\n".join(lines)


def _fit(sections: list[Section]) -> None:
    """Cuts sections to their most, and then the longest until all together fit."""
    for section in sections:
        if section.head not in KEPT:
            section.cut(MOST.get(section.head, MOST_OTHERWISE))
    while sum(len(section.lines) for section in sections) > LINES:
        longest = max(
            (section for section in sections if section.head not in KEPT),
            key=lambda section: len(section.lines) - section.ends,
        )
        longest.cut(len(longest.lines) - 1)


def _sections(
    explanation: Explanation, ways: Iterable[str] = (), *, full: bool = False
) -> Iterator[Section]:
    e = explanation
    ours = ", ours" if e.origin == "ours" else ""
    title = f"{e.label} of {e.key}{ours}: {e.verdict.upper()}, {e.gloss}"
    yield Section("", _wrapped(title, COLUMNS, indent="  "))
    yield from _paragraph("It says", e.it_says)
    yield from _paragraph("What fails", e.what_fails)
    yield from _paragraph("Not tested" if e.verdict in UNTESTED else "Tested", e.tested)
    yield from _paragraph("Example" if e.what_fails else "Closest", _example(e))
    yield from _paragraph("Read as", e.read_as)
    yield from _paragraph("It stands if", e.it_stands_if)
    if full:
        yield Section("Every way", [line for way in ways for line in _wrapped(way)])
    yield from _paragraph("Correction", e.correction)
    if e.formula is not None:
        grounds = _wrapped(e.formula.grounds)
        if not full and len(grounds) > 1:
            grounds = [_shortened(grounds[0])]
        yield Section("Formula", [*_wrapped(e.formula.text), *grounds], len(grounds))
    yield from _paragraph("Parts", _parts(e.parts))
    yield from _paragraph("Note", e.changed)
    yield from _paragraph("Cite", e.cite)
    if full:
        yield from _paragraph("History", "; ".join(e.history))
    yield Section("Next", _commands(e))


def _paragraph(head: str, words: str) -> Iterator[Section]:
    if words:
        yield Section(head, _wrapped(words))


def _example(explanation: Explanation) -> str:
    return explanation.example.text if explanation.example is not None else ""


def _parts(parts: tuple[LabelPart, ...]) -> str:
    """How many statements have labels that begin with the claim's, and which of them fail."""
    if not parts:
        return ""
    count = f"{len(parts)} more under this label" if len(parts) > 1 else "1 more under this label"
    failing = [part.id for part in parts if part.wrong]
    if not failing:
        return f"{count}, none of which fails: {', '.join(part.id for part in parts)}"
    return f"{count}, of which {len(failing)} fail{'s' * (len(failing) == 1)}: {', '.join(failing)}"


def _commands(explanation: Explanation) -> list[str]:
    """The commands, with what each shows where that has room."""
    width = max(len(each.command) for each in explanation.next)
    lines = []
    for each in explanation.next:
        line = f"{each.command:<{width}}  {each.purpose}"
        lines.append(line if len(line) <= COLUMNS - MARGIN else each.command)
    return lines


def _wrapped(words: str, width: int = COLUMNS - MARGIN, indent: str = "") -> list[str]:
    return textwrap.wrap(
        " ".join(words.split()), width, subsequent_indent=indent, break_on_hyphens=False
    )


def _shortened(line: str) -> str:
    """The line with the sign that something was cut."""
    room = COLUMNS - MARGIN - len(CUT) - 1
    while len(line) > room:
        line = line.rpartition(" ")[0] or line[:room]
    return f"{line.rstrip(' ,;:')} {CUT}"
