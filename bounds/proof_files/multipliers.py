"""Multipliers of a line, by a linear program: for authors, who write `by ? [fact], sq(x - y)`.

The line holds if right - left is a sum of the facts' gaps (or of products of two), each times a
constant and factors that are seen to be >= 0, and of such factors alone; what stands before an
equation may have any sign. Over a list of products that is a linear program in the constants. What
it finds is rounded to fractions and written as an expression, which the checker then has to accept:
nothing here is trusted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np

from bounds.kernel import ProofRejected, theorems
from bounds.kernel.algebra import (
    FrozenPolynomial,
    Monomial,
    Polynomial,
    Real,
    atom_at,
    product,
)
from bounds.kernel.reading import ProofReader
from bounds.kernel.rules import Rules, weighed
from bounds.kernel.scope import Claim, RelationClaim, Scope, Sign
from bounds.kernel.syntax import expression, parts

HOLE = "?"
DEGREES = (0, 1, 2, 3)
"""Of the products of factors that stand before a fact."""
_DENOMINATOR = 1000
_HOLE = re.compile(r"\? ?(.*?)(?= with |$)")


class Product(NamedTuple):
    """A candidate: its text without the constant, its value, and whether its constant is free."""

    text: str
    value: Real
    free: bool


def filled(text: str) -> str:
    """The proof with every hole replaced by the expression that shows its line.

    Raises ProofRejected for a line that does not follow, and for a hole that no expression fills.
    """
    rules = _Searching(theorems())
    ProofReader(text, rules).proved()
    answers = iter(rules.answers)
    lines = [_replaced(line, answers) for line in text.splitlines()]
    return "\n".join(lines) + "\n"


def _replaced(line: str, answers: Iterator[str]) -> str:
    head, by, rule = line.rpartition(" by ")
    if not by or not rule.startswith(HOLE):
        return line
    return head + by + _HOLE.sub(lambda _: next(answers), rule, count=1)


class _Searching(Rules):
    """The rules, where a hole is filled before its line is checked."""

    def __init__(self, theorems: Mapping[str, Any]) -> None:
        super().__init__(theorems)
        self.answers: list[str] = []

    def certificate(self, scope: Scope, goal: Claim, rule: str) -> None:
        """As of `Rules`; a hole is first replaced by what the linear program finds."""
        if rule.startswith(HOLE):
            rule = multipliers(scope, goal, parts(rule.removeprefix(HOLE), ","))
            self.answers.append(rule)
        super().certificate(scope, goal, rule)


def multipliers(scope: Scope, goal: Claim, facts: Sequence[str]) -> str:
    """An expression over these facts that shows the goal. Raises ProofRejected if none is found."""
    if not isinstance(goal, RelationClaim) or not isinstance(goal.gap, Real):
        raise ProofRejected("multipliers are looked for of inequalities of numbers")
    gaps = {text: _gap(scope, text) for text in facts}
    for degree in DEGREES:
        products = list(_products(scope, goal, gaps, degree))
        constants = _solved(goal.gap, products, equality=goal.kind == "==")
        if constants is not None:
            return _written(products, constants)
    raise ProofRejected(f"no multipliers are found for {', '.join(facts) or 'no facts'}")


def _gap(scope: Scope, text: str) -> tuple[Real, bool]:
    """The gap of a fact, or a term such as sq(x - y), and whether it is 0."""
    value, sign = weighed(scope, expression(text))
    if sign is Sign.UNKNOWN:
        raise ProofRejected(f"{text} is not seen to be >= 0")
    return value, sign is Sign.ZERO


def _products(
    scope: Scope, goal: RelationClaim, gaps: Mapping[str, tuple[Real, bool]], degree: int
) -> Iterator[Product]:
    """Every fact, two of them, and 1, times factors over divisors of the goal and the facts."""
    values = [goal.gap, *(gap for gap, _ in gaps.values())]
    atoms = sorted({x for real in values if isinstance(real, Real) for x in _atoms(real)})
    signed = [x for x in atoms if scope.sign(Real({((x, 1),): Fraction(1)}))]
    below = list({f for real in values if isinstance(real, Real) for f in real.below})
    equations = {text: gap for text, (gap, equation) in gaps.items() if equation}
    bounds = {text: gap for text, (gap, equation) in gaps.items() if not equation}
    for (one, gap), (other, more) in combinations(list(bounds.items()), 2) if degree else ():
        yield Product(f"1*{one}*{other}", gap * more, False)
    for factors, divisors in _weights(signed, below, degree):
        weight, text = _weight(factors, divisors), _weight_text(factors, divisors)
        for fact, gap in bounds.items():
            yield Product(f"{text}*{fact}", gap * weight, False)
        yield Product(text, weight, False)
    # What is 0 may be multiplied by anything.
    for factors, divisors in _weights(atoms, below, degree) if equations else ():
        weight, text = _weight(factors, divisors), _weight_text(factors, divisors)
        for fact, gap in equations.items():
            yield Product(f"{text}*{fact}", gap * weight, True)


def _weights(
    atoms: Sequence[int], below: Sequence[FrozenPolynomial], degree: int
) -> Iterator[tuple[tuple[int, ...], tuple[FrozenPolynomial, ...]]]:
    for size in range(degree + 1):
        for factors in combinations_with_replacement(atoms, size):
            yield factors, ()
            for divisors in range(1, min(degree, 2) + 1):
                for chosen in combinations_with_replacement(below, divisors):
                    yield factors, chosen


def _weight(factors: Sequence[int], divisors: Sequence[FrozenPolynomial]) -> Real:
    above: Polynomial = {(): Fraction(1)}
    for x in factors:
        above = product(above, {((x, 1),): Fraction(1)})
    return Real(above, {f: divisors.count(f) for f in divisors})


def _atoms(real: Real) -> set[int]:
    factors = [real.above, *map(dict, real.below)]
    return {x for p in factors for monomial in p for x, _ in monomial}


def _solved(gap: Real, products: Sequence[Product], *, equality: bool) -> list[Fraction] | None:
    """Constants with gap = sum constant * product, >= 0 but for those that are free."""
    import scipy.optimize

    allowed = [p for p in products if p.free] if equality else products
    denominators: dict[FrozenPolynomial, int] = {}
    for real in (gap, *(p.value for p in allowed)):
        for factor, k in real.below.items():
            denominators[factor] = max(k, denominators.get(factor, 0))
    cleared = [_cleared(p.value, denominators) for p in allowed]
    target = _cleared(gap, denominators)
    rows = {m: i for i, m in enumerate({*target, *(m for p in cleared for m in p)})}
    if not allowed:
        return [Fraction(0)] * len(products) if not target else None
    matrix = np.zeros((len(rows), len(allowed)))
    for column, polynomial in enumerate(cleared):
        for monomial, a in polynomial.items():
            matrix[rows[monomial], column] = float(a)
    right = np.zeros(len(rows))
    for monomial, a in target.items():
        right[rows[monomial]] = float(a)
    # A free constant is a difference of two. Of many answers the one with the least constants is
    # taken, which is also the one with few of them.
    free = [column for column, p in enumerate(allowed) if p.free]
    answer = scipy.optimize.linprog(
        np.ones(len(allowed) + len(free)),
        A_eq=np.hstack([matrix, -matrix[:, free]]),
        b_eq=right,
        method="highs",
    )
    if answer.status != 0:
        return None
    constants = answer.x[: len(allowed)]
    constants[free] -= answer.x[len(allowed) :]
    rounded = [Fraction(float(x)).limit_denominator(_DENOMINATOR) for x in constants]
    if _sum(rounded, cleared) != target:
        return None
    by_text = dict(zip((p.text for p in allowed), rounded, strict=True))
    return [by_text.get(p.text, Fraction(0)) for p in products]


def _cleared(real: Real, denominators: Mapping[FrozenPolynomial, int]) -> Polynomial:
    above = real.above
    for factor, k in denominators.items():
        for _ in range(k - real.below.get(factor, 0)):
            above = product(above, dict(factor))
    return above


def _sum(constants: Sequence[Fraction], polynomials: Sequence[Polynomial]) -> Polynomial:
    total: Polynomial = {}
    for constant, polynomial in zip(constants, polynomials, strict=True):
        for monomial, a in polynomial.items():
            total[monomial] = total.get(monomial, Fraction(0)) + constant * a
    return {m: a for m, a in total.items() if a}


# As text


def _written(products: Sequence[Product], constants: Sequence[Fraction]) -> str:
    terms = []
    for each, constant in zip(products, constants, strict=True):
        if constant:
            size = abs(constant)
            head = "" if size == 1 else f"{size}*"
            sign = "-" if constant < 0 else "+"
            terms.append((sign, f"{head}{each.text.removeprefix('1*')}"))
    if not terms:
        return "algebra"
    first = terms[0][1] if terms[0][0] == "+" else f"0 - {terms[0][1]}"
    return " ".join([first, *(f"{sign} {text}" for sign, text in terms[1:])])


def _weight_text(factors: Sequence[int], divisors: Sequence[FrozenPolynomial]) -> str:
    above = "*".join(_atom_text(x) for x in factors) or "1"
    return above + "".join(f"/({_polynomial_text(dict(f))})" for f in divisors)


def _polynomial_text(p: Polynomial) -> str:
    return " + ".join(_monomial_text(m, a) for m, a in p.items()) or "0"


def _monomial_text(monomial: Monomial, a: Fraction) -> str:
    factors = [f"{_atom_text(x)}^{k}" if k > 1 else _atom_text(x) for x, k in monomial]
    if a == 1 and factors:
        return "*".join(factors)
    return "*".join([f"({a})" if a < 0 else str(a), *factors])


def _atom_text(number: int) -> str:
    atom = atom_at(number)
    if atom.name == "dot":
        return f"dot({_atom_text(atom.arguments[0])}, {_atom_text(atom.arguments[1])})"
    if atom.name == "power":
        base, exponent = atom.arguments
        return f"({_key_text(base)})^({_monomial_text(exponent, Fraction(1))})"
    if not atom.arguments:
        return atom.name
    return f"{atom.name.removesuffix('()')}({', '.join(map(_key_text, atom.arguments))})"


def _key_text(key: tuple[Any, ...]) -> str:
    """The text of the term of a key."""
    if key[0] == "vector":
        return " + ".join(f"{_key_text(a)}*{_atom_text(v)}" for v, a in key[1])
    if key[0] == "thing":
        _, _, name, arguments = key
        return f"{name}({', '.join(map(_key_text, arguments))})" if arguments else name
    _, above, below = key
    text = f"({_polynomial_text(dict(above))})"
    return text + "".join(f"/({_polynomial_text(dict(f))})^{k}" for f, k in below)
