"""Labels of axes: a quantity in words, its symbol, and its unit in brackets."""

from __future__ import annotations

import re
from collections.abc import Sequence

import bounds
import verify.plots.labels as labels
from bounds import Statement
from bounds.forms import Sentence
from bounds.symbols import Symbol
from bounds.units.derive import of_statement
from bounds.units.listed import of_left_side
from bounds.units.unit import ANY
from verify.plots.names import in_words

SHORT = 12
"""Characters of a left side that stands beside its words."""
COUNTED = frozenset(
    (
        *("additions", "batches", "blocks", "classes", "comparisons", "deletions", "entries"),
        *("epochs", "evaluations", "iterates", "iterations", "models", "operations"),
        *("parameters", "points", "requests", "rounds", "samples", "steps"),
    )
)
"""What is counted, and so is its own unit."""
TALL = re.compile(r"\\(?:sum|prod|frac|int|left)(?![A-Za-z])")
_HEAD = re.compile(
    r"\b(?:of|that|which|in|by|for|after|before|to|an?|between|on|kept|at)\b|[,;:(/]"
)
_FORMULA = re.compile(r"\$[^$]*\$")
_WORD = re.compile(r"[A-Za-z]{3,}")
_NO_WORDS = {"exp", "log", "inf", "sup", "min", "max", "sqrt"}


def of_symbol(claim: Sentence, name: str) -> str:
    """An argument of the claim; one of the experiment alone is a setting of it."""
    symbol = claim.symbols.get(name)
    if symbol is None:
        return f"setting {labels.terms(name)} [-]"
    words = labels.terms(symbol.meaning)
    sign = labels.name(claim, name)
    if TALL.search(sign):
        sign = labels.plain(sign)
    if _same(labels.plain(sign)) not in map(_same, (labels.plain(words), *_last(words))):
        # A remark on the quantity comes after its symbol and unit.
        head, stop, remark = words.partition(";")
        return f"{head} {sign} [{_unit(head, _of_symbol(claim, symbol))}]{stop}{remark}"
    return f"{words} [{_unit(words, _of_symbol(claim, symbol))}]"


def of_measured(claim: Statement) -> str:
    """What is measured: the claim's quantity, or else its left side."""
    words = labels.quantity(claim)
    kind = _kind(labels.plain(words))
    if not _has_word(words) or kind.startswith("Rényi"):
        words = f"{kind} {words}"
    unit = of_left_side(claim, bounds.paper(claim.paper))
    sign = f"${claim.left}$"
    # A short symbol beside the words; a formula that is already there is not repeated.
    fits = claim.left and "$" not in words and labels.readable(sign)
    if fits and len(labels.plain(sign)) <= SHORT and _same(labels.plain(sign)) not in _same(words):
        words = f"{words} {sign}"
    # Sums and fractions are higher than a line.
    if TALL.search(words):
        words = labels.plain(words)
    return f"{words} [{_unit(labels.plain(words), unit)}]"


def of_claimed(claim: Statement, form: str) -> str:
    """The values of a form, where these are the axis."""
    unit = of_left_side(claim, bounds.paper(claim.paper))
    words = labels.plain(labels.quantity(claim))
    return f"what is claimed, {in_words(form)} [{_unit(words, unit)}]"


def of_entries(claim: Sentence, names: Sequence[str]) -> str:
    """The number of entries of lists."""
    return f"entries of {', '.join(labels.name(claim, name) for name in names)} [entries]"


def of_setting(name: str) -> str:
    """A setting of an experiment."""
    words = name.replace("_", " ")
    return f"{words} [{_unit(words, '1')}]"


def unit_in_words(unit: str) -> str:
    """A unit as it stands in brackets: a dash for a number, roots and raised digits."""
    if unit == "1":
        return "-"
    unit = re.sub(r"([a-z]+)\^\(1/2\)", r"√\1", unit)
    return re.sub(r"\^(\d+)", lambda match: match[1].translate(labels.RAISED), unit)


def _of_symbol(claim: Sentence, symbol: Symbol) -> str:
    """The unit that is declared, or that the forms say; a count is a number."""
    if symbol.unit not in (None, "?"):
        return str(symbol.unit)
    units = (each.symbols.get(symbol.name) for each in of_statement(claim).values())
    known = (str(unit.known) for unit in units if unit is not None)
    return next((name for name in known if name != ANY), ANY)


def _unit(words: str, unit: str) -> str:
    """The unit in words; a number of things that are counted is in these things."""
    # A quotient of counts is none.
    if unit == "1" and " / " not in words:
        head = _HEAD.split(labels.plain(words).removeprefix("number of ").strip())[0].split()
        for word in head[-2:] if head else ():
            if word in COUNTED:
                return word
    return unit_in_words(unit)


def _has_word(label: str) -> bool:
    return bool(set(_WORD.findall(_FORMULA.sub("", label))) - _NO_WORDS)


def _kind(formula: str) -> str:
    """What a formula that nobody gave words is, by how it begins."""
    if formula.startswith(("|", "‖")):
        return "size"
    if formula.startswith(("D_α", "d_α", "Dₐ")):
        return "Rényi divergence" if formula.startswith("D") else "Rényi difference"
    return "expected value" if formula.startswith("E") else "value"


def _last(words: str) -> tuple[str, ...]:
    return tuple(labels.plain(words).split()[-1:])


def _same(text: str) -> str:
    return text.replace(" ", "")
