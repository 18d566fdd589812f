"""A proof speaks of all values of a statement's symbols, not of some of them.

What the symbols are in the proof (`binds .. with`) must leave each of them free: a number is no
constant and not whole, numbers do not depend on each other, whole numbers leave none out. And the
equations among the hypotheses must each determine a quantity of the proof's own.

Norms and products of vectors count as free quantities, whatever the vectors are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from fractions import Fraction

from bounds.kernel import ProofRejected, Proved
from bounds.kernel.algebra import FrozenPolynomial, Monomial, Polynomial, Real, atom_at
from bounds.kernel.scope import Scope
from bounds.kernel.syntax import quantified
from bounds.proof_files.hypotheses import facts_of
from bounds.proof_files.terms import FormTerm, TermList
from bounds.statements import Statement

_FREE = ("norm", "dot")
"""Atoms that are free though they are no declared numbers."""
Row = dict[int, Fraction]
"""The derivative of a term: number of an atom -> value."""


def refuse_special_cases(
    claim: Statement, proof: Proved, arguments: Mapping[str, FormTerm | TermList]
) -> None:
    """Raises ProofRejected where the arguments of a form, or equations, fix or tie symbols."""
    numbers = {name: a.real for name, a in arguments.items() if isinstance(a, FormTerm)}
    lists = [a.function for a in arguments.values() if isinstance(a, TermList)]
    if len(set(lists)) < len(lists) or set(lists) & set(proof.definitions):
        raise ProofRejected("each list must be a function of its own that the proof declares")
    whole = {
        name: value
        for name, value in numbers.items()
        if claim.symbols[name].kind == "integer" and _is_of_whole_numbers(value)
    }
    rows = [_row(value, proof) for name, value in numbers.items() if name not in whole]
    if _rank(rows) < len(rows):
        special = [name for name in numbers if name not in whole]
        raise ProofRejected(f"{', '.join(special)} must take all values in the proof")
    _refuse_gaps(claim, whole)
    _refuse_ties(proof, {*claim.symbols, *_names(numbers.values())})


def _is_of_whole_numbers(value: Real) -> bool:
    return not value.below and all(
        atom_at(x).sort == "nat" for monomial in value.above for x, _ in monomial
    )


def _row(value: Real, proof: Proved) -> Row:
    """Derivatives by the free atoms that are no whole numbers, at a point in general position."""
    atoms = {x for p in (value.above, *map(dict, value.below)) for m in p for x, _ in m}
    row = {}
    for x in sorted(atoms):
        if _is_free(x, proof):
            derivative = _derivative(value, x)
            if derivative:
                row[x] = derivative
    return row


def _is_free(number: int, proof: Proved) -> bool:
    atom = atom_at(number)
    if atom.name in _FREE:
        return bool(atom.arguments[0] != ("vector", ()))
    name = atom.name.removesuffix("()")
    return atom.sort == "real" and name in proof.scope.names and name not in proof.definitions


def _derivative(value: Real, x: int) -> Fraction:
    """The derivative of the quotient by the atom x."""
    above, slope = _at(value.above), _at(_differentiated(value.above, x))
    below, growth = Fraction(1), Fraction(0)
    factors: dict[FrozenPolynomial, int] = value.below
    for factor, k in factors.items():
        size = _at(dict(factor))
        below *= size**k
        growth += k * _at(_differentiated(dict(factor), x)) / size
    return (slope - above * growth) / below


def _differentiated(p: Polynomial, x: int) -> Polynomial:
    total: Polynomial = {}
    for monomial, a in p.items():
        k = dict(monomial).get(x, 0)
        if k:
            lower: Monomial = tuple((y, j - (y == x)) for y, j in monomial if j > (y == x))
            total[lower] = total.get(lower, Fraction(0)) + a * k
    return total


def _at(p: Polynomial) -> Fraction:
    """The value where the atom of number x is 2 + 1/(x + 3): no two are alike."""
    total = Fraction(0)
    for monomial, a in p.items():
        for x, k in monomial:
            a *= (2 + Fraction(1, x + 3)) ** k
        total += a
    return total


def _rank(rows: Iterable[Row]) -> int:
    """The rank of a matrix of fractions."""
    reduced: list[tuple[int, Row]] = []
    for row in rows:
        rest = dict(row)
        for pivot, other in reduced:
            factor = rest.get(pivot, Fraction(0)) / other[pivot]
            rest = {x: rest.get(x, 0) - factor * other.get(x, 0) for x in {*rest, *other}}
        rest = {x: a for x, a in rest.items() if a}
        if rest:
            reduced.append((min(rest), rest))
    return len(reduced)


def _refuse_gaps(claim: Statement, whole: Mapping[str, Real]) -> None:
    """Raises ProofRejected unless every admitted whole number is a value of the proof's.

    A symbol is a sum of whole numbers of the proof and a constant: one of them is its own, and
    what is left for it is >= 0 by the ranges of the symbols and by what the statement requires.
    """
    alone = {next(iter(v.above)): name for name, v in whole.items() if _is_one_name(v)}
    if len(alone) < sum(map(_is_one_name, whole.values())):
        raise ProofRejected(f"{', '.join(whole)} must not be the same whole number")
    scope = Scope(dict.fromkeys(claim.symbols, "real"))
    for label, fact in facts_of(claim, scope):
        scope.add(label, fact)
    for name, value in whole.items():
        if _is_one_name(value):
            continue
        others = [other for n, other in whole.items() if n != name]
        elsewhere = {m for other in others for m in other.above}
        own = [m for m in value.above if m and m not in elsewhere]
        shared = [m for m in value.above if m and m in elsewhere]
        steps = all(a == 1 and sum(k for _, k in m) == 1 for m, a in value.above.items() if m)
        if not own or not steps or not all(m in alone for m in shared):
            raise ProofRejected(f"{name} must be a sum of whole numbers, one of them its own")
        constant = value.above.get((), Fraction(0))
        left = " - ".join([name, str(constant), *(alone[m] for m in shared)])
        if not scope.known(scope.claim(quantified(f"0 <= {left}").claim)):
            raise ProofRejected(f"{name} does not take all of its values: 0 <= {left} is not seen")


def _is_one_name(value: Real) -> bool:
    return list(value.above.values()) == [1] and sum(k for m in value.above for _, k in m) == 1


def _names(values: Iterable[Real]) -> set[str]:
    return {atom_at(x).name for value in values for m in value.above for x, _ in m}


def _refuse_ties(proof: Proved, symbols: AbstractSet[str]) -> None:
    """Raises ProofRejected unless each equation determines a quantity that no symbol stands for.

    `mu = one` and `one = 1` would fix mu. A whole number determines nothing: `mu = k` fixes it too.
    """
    names = {given: _own_names(given, symbols, proof) for given in proof.givens}
    taken: dict[str, str] = {}
    for equation, own in names.items():
        if own is not None and not _matched(equation, names, taken, set()):
            raise ProofRejected(f"{equation} ties symbols of the statement to each other")


def _own_names(given: str, symbols: AbstractSet[str], proof: Proved) -> list[str] | None:
    """The names that a closed equation may determine; None of what is none."""
    statement = quantified(given.partition(":")[2])
    closed = not statement.parameters and not statement.guards
    if not closed or not isinstance(statement.claim, ast.Compare):
        return None
    if not isinstance(statement.claim.ops[0], ast.Eq):
        return None
    own = []
    for name in sorted({n.id for n in ast.walk(statement.claim) if isinstance(n, ast.Name)}):
        sort = proof.scope.names.get(name)
        # A function has other values than those that a list of the statement has.
        free = isinstance(sort, str) and ("->" in sort or name not in symbols)
        if free and sort != "nat":
            own.append(name)
    return own


def _matched(
    equation: str, names: Mapping[str, list[str] | None], taken: dict[str, str], tried: set[str]
) -> bool:
    """Whether the equation, and those before it, each have a name (an augmenting path)."""
    for name in names[equation] or []:
        if name not in tried:
            tried.add(name)
            if name not in taken or _matched(taken[name], names, taken, tried):
                taken[name] = equation
                return True
    return False
