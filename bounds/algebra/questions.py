"""Questions to a form: solve, differentiate, limit, order, ratio, direction; each verified by
substitution."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import sympy as sp  # type: ignore[import-untyped, unused-ignore]
from mpmath import mp  # type: ignore[import-untyped, unused-ignore]
from sympy.polys.polyerrors import (  # type: ignore[import-untyped, unused-ignore]
    BasePolynomialError,
)

from bounds.algebra.answer import Derived, Kind
from bounds.algebra.cases import Case, cases, possible
from bounds.algebra.growth import UnknownGrowth, leading
from bounds.algebra.isolate import isolate
from bounds.algebra.points import CLOSE, Point, close, expressed, points
from bounds.forms import Form
from bounds.namespaces.special import Greatest, Least

VALUE = sp.Symbol("value", positive=True)
"""Stands for the value of the form in what is solved for."""
POINTS = 24
REDUCED = 150
"""Operations of a quotient that is brought over one denominator."""
GIVES_UP = (
    ArithmeticError,
    AttributeError,
    BasePolynomialError,
    LookupError,
    mp.NoConvergence,
    NotImplementedError,
    RecursionError,
    TypeError,
    ValueError,
)
SAME = mp.mpf(10) ** -100
"""Two expressions that agree so closely, at 180 digits, are one."""
FAR = (mp.mpf(10) ** 30, mp.mpf(10) ** 60, mp.mpf(10) ** 120)


def solve(form: Form, name: str) -> list[Derived]:
    """The argument as a function of the form's value, on every branch that occurs.

    Raises ValueError for what is no expression, or has no such argument that is a number.
    """
    x = symbol_of(form, name)
    question = f"{name} from the value"

    def answers(case: Case) -> list[Any]:
        return isolate(case.expression, VALUE, x)

    whole = expressed(form)

    def right(point: Point, root: Any) -> bool | None:
        solution = point.at(root, value=point.value)
        # The point's argument comes back from the form's value.
        if close(solution, mp.mpf(float(point.inputs[name])), 1e-9):
            return True
        # Where the value all but forgets the argument, only the way back can be checked.
        forgets = close(point.at(whole, **{name: 2 * point.inputs[name] + 1}), point.value, 1e-30)
        return (
            None if forgets and close(point.at(whole, **{name: solution}), point.value) else False
        )

    return answered(form, question, answers, right, "no closed form: a root for given numbers")


def differentiate(form: Form, name: str) -> list[Derived]:
    """The derivative in an argument, on every branch that occurs."""
    x = symbol_of(form, name)

    def answers(case: Case) -> list[Any]:
        slope = sp.diff(case.expression, x)
        # Where a sum runs to x, some versions of sympy leave its slope as it is; where x decides
        # which terms count, the slope is 0 beside jumps, which sympy writes as peaks: no answer.
        return [] if slope.has(sp.Derivative, sp.DiracDelta) else [slope]

    def right(point: Point, root: Any) -> bool:
        at = mp.mpf(float(point.inputs[name]))
        # A step of 1e-9 at 60 digits: truncation, some 1e-18, outweighs rounding by far.
        step = (at or mp.one) * mp.mpf(10) ** -9
        whole = expressed(form)
        sides = [point.at(whole, **{name: at + s}) for s in (step, -step)]
        slope = (sides[0] - sides[1]) / (2 * step)
        # A slope that moves nothing is lost in rounding: any answer agrees with it.
        return close(point.at(root), slope, 1e-6) or abs(slope * at) < CLOSE * abs(point.value)

    return answered(
        form, f"derivative in {name}", answers, right, "not differentiable in closed form"
    )


def order(form: Form, name: str, count: int = POINTS) -> list[Derived]:
    """The leading term as an argument grows, on every branch that occurs at so many points."""
    return _grown(form, name, f"order in {name}", lambda term, x: term.expression(x), count)


def limit(form: Form, name: str, to: float) -> list[Derived]:
    """The limit as an argument grows to infinity, or tends to a number."""
    if mp.isinf(to):
        return _grown(form, name, f"limit as {name} grows", lambda term, x: _end(term))
    x = symbol_of(form, name)

    def answers(case: Case) -> list[Any]:
        return [sp.limit(case.expression, x, sp.Rational(to), "+")]

    def right(point: Point, root: Any) -> bool:
        whole = expressed(form)
        near = [point.at(whole, **{name: mp.mpf(to) + mp.mpf(10) ** -e}) for e in (12, 24)]
        limit_value = point.at(root)
        # Nearer, if not near: convergence may be slow.
        return close(near[1], limit_value, 1e-6) or abs(near[1] - limit_value) < abs(
            near[0] - limit_value
        )

    return answered(form, f"limit as {name} tends to {to:g}", answers, right, "no limit found")


def ratio(form: Form, other: Form) -> list[Derived]:
    """The form divided by another of the same statement, simplified."""
    whole = expressed(form) / expressed(other)

    def answers(case: Case) -> list[Any]:
        return [reduced(case.expression)]

    def right(point: Point, root: Any) -> bool:
        return close(point.at(root), point.at(whole))

    question = f"{form.name} / {other.name}"
    # Points have the arguments of one form; the other's come besides.
    wide = form if set(other.arguments) <= set(form.arguments) else other
    rest = tuple(n for n in (*form.arguments, *other.arguments) if n not in wide.arguments)
    return answered(wide, question, answers, right, "no closed form", whole, others=rest)


def _grown(
    form: Form,
    name: str,
    question: str,
    shape: Callable[[Any, Any], Any],
    count: int = POINTS,
) -> list[Derived]:
    x = symbol_of(form, name)
    whole = expressed(form)
    # A sum up to 10^120 cannot be evaluated to see whether the answer is right.
    if _counts_to(whole, x):
        return [Derived(question, "numeric", None, (), 0, f"a sum or product runs up to {name}")]
    samples = points(form, count)
    small = fractions(whole, samples)

    def answers(case: Case) -> list[Any]:
        try:
            return [shape(leading(case.expression, x, small), x)]
        except UnknownGrowth:
            return []

    def right(point: Point, root: Any) -> bool:
        values, ends = ([point.at(e, **{name: far}) for far in FAR] for e in (whole, root))
        if mp.isinf(ends[0]):
            first, second = (mp.sign(ends[0]) * (b - a) for a, b in pairwise(values))
            # From 10^30 to 10^60 to 10^120: the second gain of a logarithm is twice the first.
            return bool(first > 0 and second >= 1.5 * first)
        if ends[0] == 0:
            gaps = [abs(v) / (1 + abs(point.value)) for v in values]
        else:
            gaps = [abs(v / end - 1) for v, end in zip(values, ends, strict=True)]
        # What is left out may be less by a mere logarithm; each of `FAR` doubles it.
        halved = all(after <= 0.55 * before for before, after in pairwise(gaps))
        return bool(halved or (gaps[-1] < 0.02 and gaps[0] >= gaps[-1]))

    return answered(form, question, answers, right, "no power of it", far=name, count=count)


def _counts_to(expression: Any, x: Any) -> bool:
    """Whether the range of a sum, product or extreme grows with x: it cannot be put far out."""
    ranged = expression.atoms(sp.Sum, sp.Product, Greatest, Least)
    return any(part.has(x) for node in ranged for part in node.args[1][1:])


def _end(term: Any) -> Any:
    if term.c == 0 or term.size < (0, 0):
        return sp.Integer(0)
    return term.c if term.size == (0, 0) else sp.oo * sp.sign(term.c)


def answered(
    form: Form,
    question: str,
    answers: Callable[[Case], list[Any]],
    right: Callable[[Point, Any], bool | None],
    nothing: str,
    whole: Any = None,
    far: str = "",
    others: tuple[str, ...] = (),
    count: int = POINTS,
) -> list[Derived]:
    """What is right, case by case, at the points where the case applies; else "numeric"."""
    whole = expressed(form) if whole is None else whole
    samples = points(form, count, others)
    rows = possible(cases(whole))
    # Which branch holds far out, not at the point, decides where an argument grows.
    out = {far: FAR[0]} if far else {}
    values = [point.at(whole, **out) for point in samples] if len(rows) > 1 else []
    derivations = []
    for case in rows:
        inside = [p for p, v in zip(samples, values, strict=False) if _applies(p, case, v, out)]
        # With one case alone there is nothing to tell apart.
        inside = inside if len(rows) > 1 else samples
        if not inside:
            continue
        # The first candidate that is right at all points of the case is taken.
        for root in _attempted(answers, case):
            verdicts = [_checked(right, point, root) for point in inside]
            # None where nothing can be said: it contradicts nothing, but proves nothing either.
            if False not in verdicts and any(verdicts):
                kind: Kind = "closed" if len(inside) == len(samples) else "closed on a branch"
                where = case.where if kind != "closed" else ()
                derivations.append(Derived(question, kind, root, where, len(inside)))
                break
        else:
            derivations.append(Derived(question, "numeric", None, case.where, 0, nothing))
    distinct: list[Derived] = []
    # Of equal answers on several branches the one of most points is kept.
    for answer in sorted(derivations, key=lambda a: -a.points):
        if not any(k.expression == answer.expression and k.kind == answer.kind for k in distinct):
            distinct.append(answer)
    return distinct or [Derived(question, "numeric", None, (), 0, nothing)]


def _attempted(answers: Callable[[Case], list[Any]], case: Case) -> list[Any]:
    """The candidates; none where sympy gives up, which it tells by exceptions of any kind."""
    try:
        return answers(case)
    except GIVES_UP:
        return []


def _checked(right: Callable[[Point, Any], bool | None], point: Point, root: Any) -> bool | None:
    """Whether the candidate is right at the point; no, where one of its sides has no number."""
    try:
        return right(point, root)
    except (ArithmeticError, TypeError, ValueError):
        return False


def _applies(point: Point, case: Case, value: Any, out: dict[str, Any]) -> bool:
    """Whether the case has the value of the whole expression at the point, or far `out` of it."""
    return close(point.at(case.expression, **out), value, SAME)


def symbol_of(form: Form, name: str) -> Any:
    """The symbol of an argument that is a number, as `generic` has it."""
    symbols = form.statement.symbols
    if name not in form.arguments or symbols[name].kind not in ("real", "integer"):
        numbers = [a for a in form.arguments if symbols[a].kind in ("real", "integer")]
        raise ValueError(
            f"symbol must be one of {', '.join(numbers)} of {form.statement.id} ({form.name}), "
            f"got {name!r}"
        )
    return next(
        (s for s in expressed(form).free_symbols if str(s) == name),
        sp.Symbol(name, positive=True),
    )


def fractions(expression: Any, tried: list[Point]) -> frozenset[Any]:
    """Bases of powers that lie in (0, 1) at every point; those that hang on an index are left."""
    bases = {p.base for p in expression.atoms(sp.Pow) if not p.base.is_number}
    input_names = set(tried[0].inputs) if tried else set()
    plain = [
        b for b in bases if not b.has(sp.Indexed) and {*map(str, b.free_symbols)} <= input_names
    ]
    # A base that is in (0, 1) at all points: what `leading` and `_relaxed` may take for granted.
    return frozenset(b for b in plain if all(0 < point.at(b) < 1 for point in tried))


def reduced(expression: Any) -> Any:
    """The shorter of the expression and of it over one denominator, symbolic powers as symbols."""
    # Powers as symbols of their own: cancelling is for rational functions.
    powers = {p for p in expression.atoms(sp.Pow) if not p.exp.is_number}
    table = {p: sp.Dummy(positive=True) for p in sp.ordered(powers)}
    plain = expression.xreplace(table)
    if plain.count_ops() > REDUCED:
        return expression
    alternative = (
        sp.factor_terms(sp.cancel(plain)) if plain.is_rational_function() else sp.together(plain)
    )
    back = {symbol: power for power, symbol in table.items()}
    return min(plain, alternative, key=sp.count_ops).xreplace(back)
