"""Proofs changed in one place, to see that the kernel notices.

A change is rejected, or leaves a true theorem with a proof: a stronger hypothesis, one that is not
needed, a weaker conclusion, or another line that is also true. Which it is, a person says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NUMBER = re.compile(r"(?<![\w.^])\d+(?![\w.])")
_EXPONENT = re.compile(r"\^\d+")
_SIGN = re.compile(r" [+-] (?=[\[\w(])")
_UNCHANGED = ("theorem", "for", "setting", "binds", "--")


@dataclass(frozen=True)
class ProofMutant:
    """A proof with one change: what sort, in which line (before and after), and the whole text."""

    kind: str
    before: str
    after: str
    text: str


def mutants(text: str) -> Iterator[ProofMutant]:
    """Numbers and exponents raised, signs turned, sides exchanged, hypotheses and facts dropped."""
    lines = text.splitlines()
    for place, line in enumerate(lines):
        if line.startswith(_UNCHANGED):
            continue
        for kind, changed in _changes(line):
            if changed != line:
                whole = [*lines[:place], changed, *lines[place + 1 :]]
                yield ProofMutant(kind, line, changed, "\n".join(filter(None, whole)))


def bindings(text: str) -> Iterator[ProofMutant]:
    """The line that binds the goal to the form, changed."""
    lines = text.splitlines()
    for place, line in enumerate(lines):
        if not line.startswith("binds "):
            continue
        head, equals, rest = line.partition(" = form")
        for kind, changed in _numbers(head):
            whole = [*lines[:place], changed + equals + rest, *lines[place + 1 :]]
            yield ProofMutant(kind, line, changed, "\n".join(whole))


def _changes(line: str) -> Iterator[tuple[str, str]]:
    if line.startswith("given"):
        yield "hypothesis dropped", ""
    if " <= " in line:
        yield "relation reversed", _reversed(line)
    yield from _numbers(line)
    for match in re.finditer(r", \[[^\]]*\](?:\))?", line):
        yield "fact dropped", line[: match.start()] + line[match.end() :]


def _numbers(line: str) -> Iterator[tuple[str, str]]:
    for match in _NUMBER.finditer(line):
        yield "number raised", _put(line, match, str(int(match[0]) + 1))
    for match in _EXPONENT.finditer(line):
        yield "exponent raised", _put(line, match, f"^{int(match[0][1:]) + 1}")
    for match in _SIGN.finditer(line):
        yield "sign turned", _put(line, match, " - " if match[0] == " + " else " + ")


def _put(line: str, match: re.Match[str], text: str) -> str:
    return line[: match.start()] + text + line[match.end() :]


def _reversed(line: str) -> str:
    """The last inequality of the claim with its sides exchanged."""
    claim, by, rule = line.partition(" by ")
    head, _, relation = claim.rpartition(": ") if ": " in claim else claim.partition(" ")
    left, _, right = relation.partition(" <= ")
    joint = ": " if ": " in claim else " "
    return f"{head}{joint}{right} <= {left}{by}{rule}" if right else line


def reason(mutant: ProofMutant) -> str:
    """Why a change that is accepted leaves a true statement, by the line that it is in."""
    if mutant.kind == "hypothesis dropped":
        return "a hypothesis that is not needed"
    if mutant.kind == "fact dropped":
        return "a premise that is seen without it"
    if mutant.before.startswith("given"):
        return "another hypothesis, enough as well"
    if mutant.before.startswith("define"):
        return "another quantity, of which the goal is true"
    if mutant.before.startswith("show"):
        return "a weaker goal"
    return "another line that is true"
