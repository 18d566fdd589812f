"""The verdicts as a LaTeX table that compiles by itself, with any text in its cells escaped."""

import re
import unicodedata
from collections.abc import Iterable

from verify import words
from verify.report.entries import VerdictEntry

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": "-{}",
    "[": "{[}",
    "*": "{*}",  # after the end of a line they would be its arguments
}
_MATHS = {
    "α": r"\alpha",
    "β": r"\beta",
    "γ": r"\gamma",
    "δ": r"\delta",
    "ε": r"\varepsilon",
    "ϵ": r"\epsilon",
    "ζ": r"\zeta",
    "η": r"\eta",
    "θ": r"\theta",
    "κ": r"\kappa",
    "λ": r"\lambda",
    "μ": r"\mu",
    "µ": r"\mu",
    "ν": r"\nu",
    "ξ": r"\xi",
    "π": r"\pi",
    "ρ": r"\rho",
    "σ": r"\sigma",
    "τ": r"\tau",
    "φ": r"\varphi",
    "ϕ": r"\phi",
    "χ": r"\chi",
    "ψ": r"\psi",
    "ω": r"\omega",
    "Γ": r"\Gamma",
    "Δ": r"\Delta",
    "Θ": r"\Theta",
    "Λ": r"\Lambda",
    "Π": r"\Pi",
    "Σ": r"\Sigma",
    "Φ": r"\Phi",
    "Ψ": r"\Psi",
    "Ω": r"\Omega",
    "≤": r"\le",
    "≥": r"\ge",
    "≠": r"\ne",
    "≈": r"\approx",
    "∞": r"\infty",
    "×": r"\times",
    "·": r"\cdot",
    "∈": r"\in",
    "∑": r"\sum",
    "∏": r"\prod",
    "√": r"\surd",
    "→": r"\to",
    "←": r"\leftarrow",
    "∇": r"\nabla",
    "∂": r"\partial",
    "‖": r"\|",
    "−": "-",
    "±": r"\pm",
    "⁻": "^{-}",
    "₋": "_{-}",
    "ℓ": r"\ell",
    "∅": r"\emptyset",
    "∖": r"\setminus",
    "′": "'",
    "∪": r"\cup",
    "∩": r"\cap",
    "⊂": r"\subset",
    "∘": r"\circ",
}
_PLAIN = {
    "–": "--",
    "—": "---",
    "…": r"\dots{}",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "§": r"\S{}",
    " ": "~",
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0308": '"',
    "\u030a": "r",
    "\u030c": "v",
    "\u0327": "c",
}
_OVER = {"\u0302": r"\hat", "\u0303": r"\tilde", "\u0304": r"\bar"}
_PIECE = re.compile("[^\u0300-\u036f][\u0300-\u036f]*|[\u0300-\u036f]")
_HEAD = r"""\documentclass{article}
\usepackage[a4paper,landscape,margin=15mm]{geometry}
\usepackage[T1]{fontenc}
\usepackage{textcomp,booktabs,longtable}
\begin{document}
\footnotesize
\begin{longtable}{p{46mm}p{38mm}p{12mm}p{32mm}p{26mm}p{20mm}rrr}
\toprule
claim & id & origin & interpretation.form & verdict & basis & slack & attainment & breaks below \\
\midrule
\endhead
\bottomrule
\endfoot
"""
_TAIL = "\\end{longtable}\n\\end{document}\n"


def escape(text: str) -> str:
    """Any text as LaTeX in ASCII that prints it: no command, no unbalanced brace, no new line.

    A character that standard LaTeX lacks is printed as its number, such as U+4E2D.
    """
    return "".join(_piece(match[0]) for match in _PIECE.finditer(" ".join(text.split())))


def table(entries: Iterable[VerdictEntry]) -> str:
    """A document whose one long table has a line for every interpretation and form."""
    return _HEAD + "".join(_line(row) for row in entries) + _TAIL


def _line(row: VerdictEntry) -> str:
    slack = None if row.slack_low is None else (row.slack_low, row.slack_high or row.slack_low)
    cells = [
        row.label,
        row.claim,
        row.origin,
        f"{row.interpretation}.{row.form}",
        row.word,
        row.basis,
        words.span(slack),
        words.optional(row.attainment),
        words.limit(row.red_below),
    ]
    return " & ".join(map(_cell, cells)) + " \\\\\n"


def breakable(name: str) -> str:
    """A name or a command, of which a line may end after a dot: long ids leave their column."""
    return escape(name).replace(".", r".\allowbreak{}")


def _cell(text: str) -> str:
    return breakable(text) if text[:1].isalpha() else escape(text)


def _piece(text: str) -> str:
    """A character with the accent over it, where there is one."""
    base, accents = text[0], text[1:]
    if len(accents) == 1 and accents in _ACCENTS:
        if base.isascii() and base.isalpha():
            return f"\\{_ACCENTS[accents]}{{{base}}}"
        if base.isalpha() and base in _MATHS and accents in _OVER:
            return f"${_OVER[accents]}{{{_MATHS[base]}}}$"
    return "".join(map(_character, text))


def _character(c: str) -> str:
    if c in _SPECIAL:
        return _SPECIAL[c]
    if " " <= c <= "~":
        return c
    if c in _MATHS:
        return f"${_MATHS[c]}$"
    if c in _PLAIN:
        return _PLAIN[c]
    # Canonical parts first (a letter with an accent), then compatibility parts (raised digits).
    parts = unicodedata.normalize("NFD", c)
    if len(parts) == 2 and parts[0].isascii() and parts[1] in _ACCENTS:
        return f"\\{_ACCENTS[parts[1]]}{{{parts[0]}}}"
    shape = unicodedata.normalize("NFKD", c)
    tag = unicodedata.decomposition(c).split(" ")[0]
    if tag in ("<super>", "<sub>") and shape.isascii():
        return f"${'^' if tag == '<super>' else '_'}{{{shape}}}$"
    return f"U+{ord(c):04X}"
