"""The one text of a form: its docstring, and the sections that it is made of.

    W_T is at most this value.

    Anything else that a reader needs, in paragraphs.

    Note: what sets the form apart (what was repaired, who attains it), in one line
    Proof: why it holds, wherever it is judged and no other proof is given
    Proof (ball, aligned): why it holds in these interpretations
    Fails: what goes wrong, when and by how much, wherever it fails and nothing else is said
    Fails (valid): what goes wrong in this interpretation
    Equality: where it is attained
    Source: paper, label, equation

The first line says what is bounded by what, or equal to it. A section begins at the margin, and its
further lines are indented; each may be left out. Arguments need no words here: they are symbols of
the statement, and `help(form)` adds their meanings, ranges and units.
"""

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bounds.symbols import Symbol

SECTIONS = ("Note", "Proof", "Fails", "Equality", "Source")
OF_INTERPRETATIONS = ("Proof", "Fails")
"""Sections of which each interpretation may have its own."""
EVERYWHERE = ""
"""The key of such a section that names no interpretation."""
_LABEL = re.compile(r"(?P<name>[A-Z][a-z]+)(?: \((?P<of>[^()]*)\))?:(?: (?P<text>.*))?")


@dataclass(frozen=True)
class FormText:
    """What the docstring of a form says; a section that it lacks is empty.

    Attributes:
        docstring: the whole, without its indentation.
        head: what is bounded by what, and the paragraphs up to the first section.
        note, equality, source: those sections, each in one line.
        proofs: interpretation -> why the form holds there; `EVERYWHERE` for all others.
        fails: interpretation -> what goes wrong there, with fields in braces that the record of
            the last run fills (`verify.failures`); `EVERYWHERE` for all others.
    """

    docstring: str = ""
    head: str = ""
    note: str = ""
    equality: str = ""
    source: str = ""
    proofs: Mapping[str, str] = field(default_factory=dict)
    fails: Mapping[str, str] = field(default_factory=dict)

    def proof(self, interpretation: str) -> str | None:
        """Why the form holds in an interpretation that judges it; None where nothing is said."""
        return self.proofs.get(interpretation, self.proofs.get(EVERYWHERE))

    def failure(self, interpretation: str) -> str:
        """What goes wrong in an interpretation under which the form fails; "" if unsaid."""
        return self.fails.get(interpretation, self.fails.get(EVERYWHERE, ""))


def parsed(docstring: str) -> FormText:
    """The sections of a docstring.

    Raises TypeError for a section that there is not, that is empty, or that is there twice.
    """
    docstring = inspect.cleandoc(docstring)
    head, sections = _split(docstring)
    texts: dict[str, str] = {}
    by_interpretation: dict[str, dict[str, str]] = {name: {} for name in OF_INTERPRETATIONS}
    for name, interpretations, text in sections:
        if name not in SECTIONS:
            raise TypeError(f"section must be one of {', '.join(SECTIONS)}, got {name!r}")
        if interpretations is not None and name not in OF_INTERPRETATIONS:
            raise TypeError(
                f"only {' and '.join(OF_INTERPRETATIONS)} name interpretations, "
                f"got {name} ({interpretations})"
            )
        if not text:
            raise TypeError(f"section {name} must have a text")
        table = by_interpretation.get(name, texts)
        keys = [name] if table is texts else (interpretations or EVERYWHERE).split(", ")
        for key in keys:
            if key in table:
                of_one = f" of {key}" if key not in ("", name) else ""
                raise TypeError(f"section {name}{of_one} must be there once")
            table[key] = text
    return FormText(
        docstring,
        head,
        note=texts.get("Note", ""),
        equality=texts.get("Equality", ""),
        source=texts.get("Source", ""),
        proofs=by_interpretation["Proof"],
        fails=by_interpretation["Fails"],
    )


def _split(docstring: str) -> tuple[str, list[tuple[str, str | None, str]]]:
    """The head, and of every section its name, the interpretations it names, and its text."""
    first, *others = docstring.splitlines() or [""]
    head, sections = [first], []
    for line in others:
        # Most lines begin no section, and are not matched: there are hundreds of docstrings.
        if line[:1].isupper() and ":" in line and (label := _LABEL.fullmatch(line)):
            sections.append((label["name"], label["of"], [label["text"] or ""]))
        elif not sections:
            head.append(line)
        elif line.startswith(" "):
            sections[-1][2].append(line.strip())
        elif line:
            raise TypeError(f"further lines of a section must be indented, got {line!r}")
    named = [(name, of, " ".join(lines).strip()) for name, of, lines in sections]
    return "\n".join(head).strip(), named


def docstring_of(function: Callable[..., Any]) -> str:
    """The docstring of a function, also where `python -OO` has left it out: from the source.

    Raises TypeError where it was left out and there is no source.
    """
    kept = function.__doc__
    if kept is not None or sys.flags.optimize < 2 or function.__name__ == "<lambda>":
        return kept or ""
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except OSError as error:
        raise TypeError(
            f"python -OO leaves out docstrings, and {function.__qualname__} has no source"
        ) from error
    (definition,) = ast.parse(source).body
    assert isinstance(definition, ast.FunctionDef)
    return ast.get_docstring(definition) or ""


def with_arguments(docstring: str, symbols: Iterable[Symbol]) -> str:
    """A form's docstring, followed by what its arguments mean, a line each."""
    lines = [f"    {symbol.name}: {_described(symbol)}" for symbol in symbols]
    return "\n".join([docstring, "", "Arguments:", *lines]).strip()


def _described(symbol: Symbol) -> str:
    unit = f", in {symbol.unit}" if symbol.unit not in (None, "1", "?") else ""
    return f"{symbol.meaning}; {symbol.range()}{unit}"
