"""Labels of plots: symbols as the papers set them, for matplotlib and as plain text for pages.

A label is text with formulas between dollar signs, in the TeX that matplotlib reads.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.ft2font import LoadFlags
from matplotlib.mathtext import MathTextParser

from bounds import Statement
from bounds.forms import Sentence
from verify.plots.style import POINTS
from verify.words import number, typeset

_WEIGHTS = ("normal", "bold")
LARGE = 100.0
GREEK = {
    name: unicodedata.lookup(f"GREEK SMALL LETTER {letter or name}")
    for name, letter in (
        ("varepsilon", "epsilon"),
        ("epsilon", ""),
        ("alpha", ""),
        ("beta", ""),
        ("gamma", ""),
        ("delta", ""),
        ("eta", ""),
        ("kappa", ""),
        ("lambda", "lamda"),
        ("mu", ""),
        ("nu", ""),
        ("omega", ""),
        ("phi", ""),
        ("psi", ""),
        ("pi", ""),
        ("rho", ""),
        ("sigma", ""),
        ("tau", ""),
        ("theta", ""),
        ("xi", ""),
        ("zeta", ""),
    )
}
SIGNS = {
    "infty": "∞",
    "star": "*",
    "nabla": "∇",
    "partial": "∂",
    "pm": "±",
    "sum": "Σ",
    "setminus": "∖",
    "ell": "ℓ",
    "dots": "…",
    "top": "T",
    "log": "log ",
    "inf": "inf ",
    "emptyset": "∅",
    "leq": "≤",
    "left": "",
    "right": "",
    "sup": "sup",
    "Phi": "Φ",
    "Delta": "Δ",
    "Lambda": "Λ",
    "Sigma": "Σ",
    **GREEK,
    "|": "‖",
}
ACCENTS = {"bar": "\u0304", "hat": "\u0302", "widetilde": "\u0303"}
LOW = dict(zip("0123456789+-=aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
HIGH = dict(zip("0123456789+-()iknTt*", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁱᵏⁿᵀᵗ*", strict=True))
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
ENTRIES = 4  # of a list, in a caption

_TERM = re.compile(
    rf"(?<![\w\\$])(?:({'|'.join(GREEK)}|nabla)(?![a-z])|([A-Za-z])(?='|_\w|_\{{|\^\w|\^[-{{(]))"
    r"((?:'|_\{[^}]*\}|_\w+|\^\{[^}]*\}|\^\(\w\)|\^-?\w+)*)"
)
_FORMULA = re.compile(r"\$([^$]*)\$")


def name(claim: Sentence, symbol: str) -> str:
    """An argument as the paper writes it; one of the experiment alone as it is called."""
    record = claim.symbols.get(symbol)
    if record is None:
        return terms(symbol)
    # mathtext wants braces, and knows mathbf but no boldsymbol.
    tex = re.sub(r"\\mathbf (\w)", r"\\mathbf{\1}", record.tex.replace("boldsymbol", "mathbf"))
    return f"${tex}$"


def terms(text: str) -> str:
    """Words in which `d_alpha` and its like become formulas."""

    def formula(match: re.Match[str]) -> str:
        greek, letter, rest = match.groups()
        # Scripts into braces before Greek names get their backslash.
        rest = re.sub(r"([_^])(-?\w+|\(\w\))", r"\1{\2}", rest)
        rest = re.sub(rf"\b({'|'.join(GREEK)}|infty)\b", r"\\\1 ", rest)
        return f"${chr(92) + greek if greek else letter}{rest}$"

    return _TERM.sub(formula, text.replace("W-infinity", "W_infty"))


def quantity(claim: Statement) -> str:
    """What is measured, in words, or else the left side, if matplotlib reads its TeX."""
    lhs = f"${claim.left}$"
    return terms(claim.quantity) or (lhs if claim.left and readable(lhs) else "left side")


@cache
def readable(label: str) -> bool:
    """Whether matplotlib can set the formulas of a label."""
    try:
        MathTextParser("path").parse(label)
    except ValueError:
        return False
    return True


def held(claim: Statement, fixed: Mapping[str, Any]) -> str:
    """The inputs held fixed."""
    return ", ".join(f"{name(claim, key)} = {_value(value)}" for key, value in fixed.items())


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        entries = [_value(x) for x in value[:ENTRIES]]
        more = [f"… ({len(value)} entries)"] if len(value) > ENTRIES else []
        return f"[{', '.join(entries + more)}]"
    return typeset(str(number(value)).replace("inf", "∞"))


@cache
def plain(label: str) -> str:
    """The label without formulas: their letters, with raised and lowered ones where there are."""
    return _FORMULA.sub(lambda match: _unicode(match[1]), label)


def filled(label: str, room: float, size: float = 9.0, bold: bool = False) -> str:
    """The label in lines of at most so many points, broken at spaces outside of formulas."""
    lines: list[str] = []
    left = 0.0
    # A space followed by an even number of dollar signs lies outside of formulas.
    for word in re.split(r" (?=(?:[^$]*\$[^$]*\$)*[^$]*$)", label.replace("\n", " ")):
        needs = width(plain(word), size, bold)
        left -= needs + width(" ", size, bold)
        if lines and left >= 0:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
            left = room - needs
    return "\n".join(lines)


def _unicode(tex: str) -> str:
    tex = re.sub(r"\\(?:mathbf|boldsymbol|mathcal|mathrm|mathbb|text)\b ?", "", tex)
    tex = re.sub(r"\\[,;:!]", "", tex)
    tex = re.sub(r"\\([A-Za-z]+|\|) ?", lambda m: SIGNS.get(m[1], m[0]), tex)
    for accent, sign in ACCENTS.items():
        tex = re.sub(rf"\\{accent} ?\{{*(\w)\}}*", rf"\1{sign}", tex)
    # Raised and lowered letters where Unicode has all of them, else the mark stays.
    for mark, table in (("_", LOW), ("^", HIGH)):
        tex = re.sub(rf"\{mark}(?:\{{([^{{}}]*)\}}|(.))", partial(_moved, table, mark), tex)
    tex = re.sub(r"\\frac\{((?:[^{}]|\{[^{}]*\})*)\}\{((?:[^{}]|\{[^{}]*\})*)\}", r"\1/\2", tex)
    return tex.replace("{", "").replace("}", "")


def _moved(table: Mapping[str, str], mark: str, match: re.Match[str]) -> str:
    text = match[1] or match[2] or ""
    return "".join(table[c] for c in text) if set(text) <= table.keys() else f"{mark}{text}"


def width(text: str, size: float = 9.0, bold: bool = False) -> float:
    """Of a line of plain text, in points."""
    return _width(text, bold) * size / LARGE


@cache
def _width(text: str, bold: bool) -> float:
    """At a size at which it is not rounded to whole pixels, as files of SVG and PDF do not."""
    font = get_font(findfont(FontProperties(family="DejaVu Sans", weight=_WEIGHTS[bold])))
    font.set_size(LARGE, POINTS)
    font.set_text(text, 0.0, flags=LoadFlags.NO_HINTING)
    # A space has no ink, and the width of an i.
    return float(font.get_width_height()[0]) / 64 if text.strip() else LARGE * 0.318 * len(text)
