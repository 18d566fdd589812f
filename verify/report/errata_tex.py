"""Errata as LaTeX for the authors of a paper: a summary as long as a letter, then the entries.

It needs article, amsmath and amssymb, and is ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from verify.report.errata import Erratum, gravest_first
from verify.report.latex import breakable, escape
from verify.report.view import FORMS

_HEAD = r"""\documentclass[11pt]{article}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage{amsmath,amssymb}
\setlength{\textwidth}{160mm}
\setlength{\oddsidemargin}{0mm}
\setlength{\textheight}{235mm}
\setlength{\topmargin}{-15mm}
\setlength{\parindent}{0pt}
\setlength{\parskip}{5pt plus 2pt}
\sloppy
\begin{document}
"""
_TAIL = "\\end{document}\n"
_FORMULA = """\\begin{list}{}{\\setlength{\\leftmargin}{6mm}}\\item \\raggedright
$\\displaystyle %s$
\\end{list}
"""
# Commands of formulas that neither package has -> ones with the same meaning.
_REPAIRS = ((r"\\nicefrac\b", r"\\tfrac"), (r"\\(nonumber|notag)\b", ""), (r"\\label\{[^}]*\}", ""))


def errata_tex(
    title: str, entries: Sequence[Erratum], remarks: Sequence[Erratum], total: int
) -> str:
    """The errata of a paper of whose own statements `total` were checked."""
    parts = [_HEAD, f"\\section*{{{escape(title)}}}\n", _opening(entries, total)]
    gravest = gravest_first(entries)
    if gravest:
        parts.append("\\begin{enumerate}\n")
        parts += [_line(entry) for entry in gravest]
        parts.append("\\end{enumerate}\n\\clearpage\n\\section*{The entries}\n")
    for entry in entries:
        parts += _entry(entry)
    if remarks:
        parts.append("\\section*{Remarks}\n")
        parts.append(
            "These statements stand, yet fail under another interpretation, or are ours beside "
            "the paper.\n\n"
        )
    for entry in remarks:
        parts += _entry(entry)
    return "".join([*parts, _TAIL])


def opening(count: int, total: int) -> str:
    """The first sentences of a letter to the authors."""
    if not count:
        return f"We checked {total} statements of the paper, and found none to correct."
    need = "needs" if count == 1 else "need"
    return (
        f"We checked {total} statements of the paper; {count} of them {need} a correction. They "
        "stand here with the gravest first, each with what should stand in its place and, where "
        "there is one, the name of a program that shows the counterexample by itself; forgetproof "
        "prints it by the command under the entry."
    )


def _opening(entries: Sequence[Erratum], total: int) -> str:
    return escape(opening(len(entries), total)) + "\n\n"


def _line(entry: Erratum) -> str:
    """A statement of the summary."""
    program = f" Program: \\texttt{{{breakable(entry.program)}}}." if entry.program else ""
    head = f"\\textbf{{{escape(entry.label)}}} ({escape(entry.word)})."
    return f"\\item {head} {escape(entry.instead)}{program}\n"


def _entry(entry: Erratum) -> Iterator[str]:
    ours = f", {entry.whose}" if entry.whose else ""
    yield f"\\subsection*{{{escape(entry.label)}: {escape(entry.word + ours)}}}\n"
    if entry.lead:
        yield escape(entry.lead) + "\n\n"
    if entry.values:
        values = "; ".join(value.equation for value in entry.values)
        yield f"\\textit{{Counterexample:}} {escape(values)}.\n\n"
    yield f"\\textit{{It says:}} {escape(entry.statement)}\n\n"
    yield f"\\textit{{It should say:}} {escape(entry.instead)}\n\n"
    if entry.printed:
        yield f"\\textit{{{FORMS['printed']}:}}\n{_formula(entry.printed)}"
    for form in filter(lambda standing: standing.tex, entry.standing):
        notes = ", ".join(filter(None, (form.word, form.notes)))
        provided = f"; provided: {form.provided}" if form.provided else ""
        proof = f"; proof: {form.proof}" if form.proof else ""
        yield f"\\textit{{{FORMS[form.name]}}} ({escape(notes + provided + proof)}):\n"
        yield _formula(form.tex)
    yield f"\\textit{{Shown by:}} \\texttt{{{breakable(entry.command)}}}\n\n"


def _formula(tex: str) -> str:
    for pattern, replacement in _REPAIRS:
        tex = re.sub(pattern, replacement, tex)
    return _FORMULA % " ".join(tex.split())
