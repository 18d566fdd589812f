"""What speaks for or against a form, in a sentence, from what the record of the last run has."""

from __future__ import annotations

import math

from bounds import Statement
from bounds.unicode_formulas import unicode_formula, unicode_words
from verify.case_values import DIGITS, short_powers, shown
from verify.glosses import proof_in_words
from verify.record import DecidingCase
from verify.stored import StoredVerdict
from verify.words import kind_of, number, pair

CLAIMED = {"<=": "at most ", ">=": "at least ", "==": ""}
"""A relation -> how the bound of a case is said."""
FACTOR = 1.1
"""From this ratio on a departure is told as a factor, below it in per cent."""
ATTAINED = 0.9995
"""From this share of a bound on a case is said to attain it."""


def what_fails(claim: Statement, verdict: StoredVerdict) -> str:
    """What goes wrong with a form, when and by how much.

    The sentence that was written for it; else one of the measured quantity, the two sides and the
    instance; else the reason of the verdict.
    """
    return short_powers(_what_fails(claim, verdict))


def _what_fails(claim: Statement, verdict: StoredVerdict) -> str:
    if verdict.fails:
        return unicode_words(verdict.fails)
    mended = verdict.edit and kind_of(verdict.word) == "typo"
    edit = f"One edit mends it: {unicode_words(verdict.edit)}. " if mended else ""
    if verdict.word == "vacuous":
        return f"No case meets the hypotheses: {_sentence(verdict.reason, lower=True)}"
    if kind_of(verdict.word) == "reproduced in part":
        share = verdict.word.removeprefix("reproduced ").replace("/", " of ")
        return f"Only {share} printed numbers follow: {_sentence(verdict.reason, lower=True)}"
    if verdict.case is None:
        return edit + _sentence(verdict.reason)
    return edit + _compared(claim, verdict.case)


def _compared(claim: Statement, case: DecidingCase) -> str:
    """The two sides of a case that breaks a form, and where."""
    measured, bound = _sides(case)
    claimed = f"{CLAIMED[case.relation]}{bound}"
    where = f" ({unicode_words(case.instance).rstrip('.')})" if case.instance else ""
    says = "the paper says" if claim.origin == "paper" else "the form says"
    return f"{_quantity(claim)} is {measured}; {says} {claimed}{_departure(case)}{where}."


def _sides(case: DecidingCase) -> tuple[str, str]:
    if math.isinf(case.measured) or math.isinf(case.bound):
        return shown(case.measured), shown(case.bound)
    return pair(case.measured, case.bound, DIGITS)


def _departure(case: DecidingCase) -> str:
    """By how much the measured side is off: ", 3.2 times too much"; empty where no ratio says."""
    ratio = case.ratio
    if not ratio or ratio < 0:
        return ""
    factor = max(ratio, 1 / ratio)
    size = (
        f"{number(factor, 3)} times" if factor >= FACTOR else f"{number(100 * (factor - 1), 2)} %"
    )
    if case.relation == "==":
        return f", off by {size if factor < FACTOR else f'a factor {number(factor, 3)}'}"
    return f", {size} too {'much' if case.relation == '<=' else 'little'}"


def _quantity(claim: Statement) -> str:
    """What is measured, as a sentence begins."""
    if claim.quantity:
        return _sentence(claim.quantity, end="")
    if not claim.left:
        return "The left-hand side"
    try:
        return unicode_formula(claim.left)
    except ValueError:  # a third party's TeX may have a command without a sign
        return "The left-hand side"


def what_was_tested(verdict: StoredVerdict) -> str:
    """How many cases did not break a form, how close they came, and how far it is from the best."""
    if not verdict.cases or verdict.case is None:
        return _sentence(verdict.reason) if verdict.reason else "Nothing was compared."
    count = f"None of {verdict.cases} cases breaks it"
    if verdict.cases == 1:
        count = "The one case that was compared does not break it"
    tested = f"{count}{_closeness(verdict.case)}.{_slack(verdict)}{_proof(verdict)}"
    return short_powers(tested)


def _proof(verdict: StoredVerdict) -> str:
    """What the word "holds" rests on."""
    if verdict.word != "holds" or not verdict.proof:
        return ""
    proof = proof_in_words(verdict.proof)
    return f" {proof[0].upper()}{proof[1:]}: {_sentence(verdict.argument, lower=True)}"


def _closeness(case: DecidingCase) -> str:
    """How near the closest case came to breaking a form."""
    if case.relation == "==":
        if case.measured == case.bound:
            return "; both sides agree in all digits"
        size = max(abs(case.measured), abs(case.bound))
        return f"; both sides agree to {number(abs(case.measured - case.bound) / size, 2)}"
    ratio = case.ratio
    if not ratio or ratio < 0:
        return ""
    share = ratio if case.relation == "<=" else 1 / ratio
    if share >= ATTAINED:
        return "; the closest attains the bound"
    percent = number(100 * share, 2 if share < 0.1 else 3)
    return f"; the closest came to {percent} % of the bound"


def _slack(verdict: StoredVerdict) -> str:
    """How much larger than the best bound the form is, where that is another form."""
    if verdict.form == "tight" or not verdict.slack:
        return ""
    low, high = verdict.slack
    # Two digits, also of hundreds: 520, not 5.2e+02.
    ends = [number(float(f"{ratio:.2g}")) for ratio in (low, high)]
    if ends == ["1", "1"]:
        return " It is the best bound."
    span = ends[0] if ends[0] == ends[1] else " to ".join(ends)
    return f" It is {span} times the best bound."


def _sentence(text: str, end: str = ".", *, lower: bool = False) -> str:
    """The text as a sentence: a capital at its beginning unless that is a symbol, a stop."""
    text = unicode_words(" ".join(text.split())).rstrip(". ")
    # A letter alone, or before a sign of mathematics, is a symbol.
    word = text[:2].isalpha() and text[:2].islower()
    if word and not lower:
        text = text[0].upper() + text[1:]
    return text + end
