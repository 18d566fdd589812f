"""Whether what a form prints is what it computes: its TeX, evaluated at points, and its values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import mpmath as mp
import numpy as np

import bounds
from bounds import Form, Statement
from bounds.forms import Sentence
from verify.tex.cursor import Tokens
from verify.tex.evaluate import LONG, MORE, STEPS, Evaluation, Long
from verify.tex.names import Arguments, Meanings, is_name, replaced, with_arguments, written
from verify.tex.normalise import normalise, spelled, tokens
from verify.tex.points import ALL, Amount, Point, points, smallest
from verify.tex.reader import Reader
from verify.tex.split import split
from verify.tex.tree import Tree, Unread, key

Word = Literal["matches", "differs", "unread"]
NO_VALUE = {r"\words", r"\textbf", r"\in", r"\sim", r"\propto", r"\begin{bmatrix}"}
"""What makes a sentence of a claim: no side of it is the value."""

DIGITS, TOLERANCE = 30, 1e-8
FAILURES = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
    RecursionError,
    mp.libmp.NoConvergence,
)
HIDDEN = re.compile(r"\bconstant\b.*\b[Oo]\b")
"""The meaning of a symbol that is the constant of O()."""


@dataclass(frozen=True)
class TexOutcome:
    """What became of a form's TeX.

    Attributes:
        word: it "matches" the values, or "differs" somewhere, or was "unread".
        reason: why it was not read; where it differs.
        points: inputs, the value of the TeX, and that of the form.
        gap: the largest relative difference.
    """

    word: Word
    reason: str = ""
    points: tuple[tuple[dict[str, Any], float, float], ...] = ()
    gap: float = 0.0


def witness(form: Form, amount: Amount = ALL) -> TexOutcome:
    """Reads a form's TeX, and compares it with the form's values at points of its hypotheses.

    Of a chain `A = B <= C` the sides are tried from the right, then what the statement's left side
    says of a name that the claim defines. One must agree everywhere, and so must those that it is
    said to equal, as far as they can be read.
    """
    # The points are drawn at double precision: they are the form's own inputs and values.
    at = points(form, amount)
    with mp.workdps(DIGITS):
        try:
            formula = _read(form)
        except Unread as error:
            return TexOutcome("unread", str(error))
        outcomes = []
        # The first chain of equals with a member that agrees decides; a member that differs there
        # counts.
        for equal in formula.candidates:
            chain_outcomes = [_outcome(form, formula, tree, at, amount.patient) for tree in equal]
            differing = [o for o in chain_outcomes if o.word == "differs"]
            if any(o.word == "matches" for o in chain_outcomes):
                return next(o for o in (*differing, *chain_outcomes) if o.word != "unread")
            outcomes += chain_outcomes
    outcomes += [TexOutcome("unread", reason) for reason in formula.reasons]
    outcomes.append(TexOutcome("unread", "it says no number"))
    # Too long beats "differs": another side may have agreed, had there been time.
    if any(o.reason == LONG for o in outcomes):
        return TexOutcome("unread", LONG)
    return next((o for o in outcomes if o.word == "differs"), outcomes[0])


def _outcome(
    form: Form, formula: _Formula, tree: Tree, points: list[Point], patient: bool
) -> TexOutcome:
    try:
        return _compared(formula, tree, points)
    except Long:
        if not patient:
            return TexOutcome("unread", LONG)
        # At the smallest counts the limit of steps is higher, and what is too long there stays
        # unread.
        return _compared(formula, tree, smallest(form), final=True)


def witnesses(statements: Iterable[Statement]) -> Iterator[tuple[Form, TexOutcome]]:
    """Every form of these statements with what became of its TeX."""
    for statement in statements:
        for form in statement.forms.values():
            yield form, witness(form)


@dataclass(frozen=True)
class _Formula:
    """A form's TeX as read: what may be its value, by chains of equals, and what its names mean."""

    candidates: tuple[tuple[Tree, ...], ...]
    reasons: tuple[str, ...]
    arguments: Arguments
    meanings: tuple[Meanings, Meanings]
    hidden: str

    def at(self, inputs: Mapping[str, Any], most: int) -> Evaluation:
        return Evaluation(inputs, self.arguments, self.meanings, self.hidden, most)


def _read(form: Form) -> _Formula:
    statement = form.statement
    form_symbols = [statement.symbols[name] for name in form.arguments]
    arguments = written(form_symbols)
    notation = bounds.paper(statement.paper).notation
    fragments, definitions = _sorted(statement, {**statement.reads, **form.reads})
    common_fragments, common_definitions = _sorted(statement, notation)

    # A hint that spells a side out would be compared with itself.
    if spelled_out := _whole_sides(form.tex, (*fragments, *definitions)):
        raise Unread(f"a hint spells out {spelled_out}")

    # Paper-wide fragments come after the form's own, which may be more special.
    def plain(tex: str) -> str:
        text = replaced(normalise(tex), (*fragments, *common_fragments))
        return with_arguments(text, arguments, statement.symbols)

    common = Meanings()
    common.add([(tokens(normalise(a)), tokens(plain(b))) for a, b in common_definitions])
    parts = split(plain(form.tex))
    own = Meanings()
    hints = [(tokens(normalise(a)), tokens(plain(b))) for a, b in definitions]
    left_definitions = split(plain(statement.left)).definitions if statement.left else ()
    own.add([*hints, *parts.definitions, *left_definitions], common.callables())
    sides = list(parts.sides)
    if odd := NO_VALUE & {*parts.relations, *(token for side in sides for token in side)}:
        raise Unread(f"it holds {min(odd)}")
    # `x = A <= B` defines x: A and what equals it are the value, then x itself, then what the
    # statement's left side says of it.
    if parts.relations[:1] in (("=",), (r"\leftarrow",)) and _defines(sides[0], arguments):
        own.add([(sides[0], sides[1])], common.callables())
        lhs = split(plain(statement.left)).sides[0] if statement.left else []
        equal = [*reversed(_equal(sides[1:], parts.relations[1:])), [sides[0]], [lhs]]
    # A name on the left, f <= A, says nothing of the value: the sides after it do.
    elif len(sides) > 1 and is_name(spelled(sides[0])):
        equal = _equal(sides[1:], parts.relations[1:])[::-1]
    else:
        equal = _equal(sides, parts.relations)[::-1]
    callables = own.callables() | common.callables()
    candidates, reasons = [], []
    for chain in equal:
        trees = []
        # From the right, as the last side of a chain of equals is usually the one that is computed.
        for side in reversed(chain):
            try:
                trees.append(_unsquared(Reader(side, callables).whole(), own))
            except Unread as error:
                reasons.append(str(error))
        candidates.append(tuple(trees))
    hidden = next((s.name for s in form_symbols if HIDDEN.search(s.meaning)), "")
    return _Formula(tuple(candidates), tuple(reasons), arguments, (own, common), hidden)


def _equal(sides: Sequence[Tokens], relations: Sequence[str]) -> list[list[Tokens]]:
    """Sides of a chain, those between which nothing but "=" stands together."""
    chains = [[sides[0]]]
    for relation, side in zip(relations, sides[1:], strict=True):
        if relation == "=":
            chains[-1].append(side)
        else:
            chains.append([side])
    return chains


def _unsquared(tree: Tree, own: Meanings) -> Tree:
    """x where a side is x^2, and it is x that the formula defines."""
    if tree[0] != "pow" or tree[1][0] != "name" or tree[2] != ("num", "2"):
        return tree
    name = tree[1]
    is_defined = key(name) in own.plain or (name[1], "_", name[3]) in own.sequences
    return name if is_defined else tree


def _defines(head: Tokens, arguments: Arguments) -> bool:
    """Whether a claim's left side is a name, or its power, that is no argument."""
    try:
        tree = Reader(head).whole()
    except Unread:
        return False
    tree = tree[1] if tree[0] == "pow" and tree[2] == ("num", "2") else tree
    return tree[0] == "name" and key(tree) not in arguments.scalars


def _sorted(
    statement: Sentence, given: Mapping[str, str | tuple[str, ...]]
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Fragments to be replaced and names to be defined; an argument's name stands for it."""
    fragments, definitions = [], []
    pairs = [(k, tex) for k, v in given.items() for tex in ((v,) if isinstance(v, str) else v)]
    for what, tex in pairs:
        argument = tex in statement.symbols and len(tex) > 1
        form = re.fullmatch(r"[a-z0-9_]+\.[a-z0-9_.]+/\w+", tex)
        # Marked, so that an argument's or a form's name is not read as a product of letters.
        stands = rf"\argument{{{tex}}}" if argument else rf"\form{{{tex}}}" if form else tex
        if is_name(what):
            definitions.append((what, stands))
        else:
            text = stands if argument else _whole(normalise(stands))
            fragments.append((normalise(what), text))
    return fragments, definitions


def _whole_sides(tex: str, hints: Iterable[tuple[str, str]]) -> str:
    """A side of the claim that a hint stands for, other than an argument or a form; or ""."""
    sides = {spelled(side) for side in split(normalise(tex)).sides}
    for what, stands in hints:
        name_match = re.fullmatch(r"\{?(\\(argument|form)\{[^{}]*\}(_.)?|\\?[A-Za-z]+)\}?", stands)
        if normalise(what) in sides and not name_match:
            return what
    return ""


def _whole(text: str) -> str:
    """TeX that is an expression, in braces, so that it stays one where it is put."""
    try:
        Reader(tokens(text)).whole()
    except Unread:
        return text
    return "{" + text + "}"


def _compared(
    formula: _Formula, tree: Tree, points: list[Point], final: bool = False
) -> TexOutcome:
    evaluations, gaps, where = [], [], ""
    # Points at which the TeX has a pole say nothing; all others must agree.
    for inputs, value in points:
        evaluation = formula.at(inputs, MORE if final else STEPS)
        try:
            result = _value(evaluation, tree)
            if _gap(result, value) > TOLERANCE:  # so much may cancel
                with mp.workdps(4 * DIGITS):
                    result = _value(formula.at(inputs, MORE), tree)
        except ZeroDivisionError:
            # A pole, or a value that is not a number.
            continue
        except Unread as error:
            if isinstance(error, Long) and not final:
                raise
            return TexOutcome("unread", str(error))
        except FAILURES as error:
            return TexOutcome("unread", f"{type(error).__name__} {error}")
        evaluations.append((inputs, float(result), value))
        gaps.append(_gap(result, value))
        if gaps[-1] > TOLERANCE:
            where = where or f"{mp.nstr(result, 8)} by the TeX, {value:.8g} by the form"
    if not evaluations:
        return TexOutcome("unread", "no inputs are found at which it has a value")
    # The constant of O() that is no argument leaves the factor between the two open.
    if max(gaps) > TOLERANCE and evaluation.slack:
        return TexOutcome("unread", "O() hides a constant that is no argument")
    word: Word = "differs" if max(gaps) > TOLERANCE else "matches"
    return TexOutcome(word, where, tuple(evaluations), max(gaps))


def _value(evaluation: Evaluation, tree: Tree) -> Any:
    """The value; a free running index is at its end, one ahead of the lists if it is `t + 1`."""
    end = evaluation.length
    scope = {} if "i" in evaluation.inputs or not end else {"i": mp.mpf(end)}
    if tree[0] == "name" and (ahead := re.fullmatch(r"([a-z])\+1", tree[2])) and end:
        scope[ahead[1]] = mp.mpf(end + evaluation.first(ahead[1]) - 1)
    with evaluation.at(scope):
        value = evaluation.value(tree)
    if not isinstance(value, mp.mpf):
        raise Unread("its value is no real number")
    if mp.isnan(value):
        raise ZeroDivisionError
    return value


def _gap(result: Any, value: float) -> float:
    # An infinity must be met exactly: no relative difference tells how near it is.
    if np.isinf(value) or mp.isinf(result):
        return 0.0 if float(result) == value else float("inf")
    # 1e-290: the difference of two subnormal values is not compared with their lost digits.
    size = max(abs(value), 1e-290)
    return abs(float((result - mp.mpf(value)) / size))
