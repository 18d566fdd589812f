"""Expectations of real terms, and which terms depend on chance.

Names of sort `random` and `random_vec` are random variables whose moments are all finite; all other
names stand for one value. A claim that speaks of no expectation is true for every outcome. The
expectation is linear: it is taken of each monomial, and what does not depend on chance stands
before it. Of what may have no finite expectation (quotients, logarithms, exponentials) none is
taken.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from bounds.kernel.algebra import Atom, Monomial, ProofRejected, Real, atom_at

RANDOM = ("random", "random_vec")
OF_CHANCE = ("expectation", "noise")
"""Function and predicate that are no claims of single outcomes."""
_INTEGRABLE = ("dot", "norm", "abs", "sqrt", "min", "proj()")
"""Of random variables with all moments these have all moments: atoms, and functions as written."""
_FUNCTIONS = ("dot", "sq", "norm", "abs", "sqrt", "min", "proj", "expectation")


def expectation(real: Real, value_of: Callable[[Real], Real]) -> Real:
    """Its expectation; `value_of` says what an atom stands for. Raises ProofRejected."""
    if any(is_random(("real", factor, ())) for factor in real.below):
        raise ProofRejected("an expectation is of no quotient by what depends on chance")
    total = Real.of(0)
    for monomial, a in real.above.items():
        constant = tuple((x, k) for x, k in monomial if not _of_chance(x))
        random = tuple((x, k) for x, k in monomial if _of_chance(x))
        factor = Real({constant: a})
        if random:
            factor *= value_of(_expected(random))
        total += factor
    return total * Real(Real.of(1).above, real.below)


def _expected(monomial: Monomial) -> Real:
    for x, _ in monomial:
        if not _integrable(x):
            raise ProofRejected(f"an expectation of {atom_at(x).name} is not seen to be finite")
    return Real.atom(Atom("expectation", (Real({monomial: Real.of(1).above[()]}).key,)))


def is_random(key: Any) -> bool:
    """Whether the term of this key depends on chance."""
    return any(_of_chance(x) for x in _numbers(key))


def speaks_of_chance(*nodes: ast.expr) -> bool:
    """Whether a claim among these is of expectations or laws, not of single outcomes."""
    return any(names_in(node) & set(OF_CHANCE) for node in nodes)


def has_all_moments(node: ast.expr, random: frozenset[str]) -> bool:
    """Whether an expression is built of these random variables such that all moments are finite."""
    if not names_in(node) & random:
        return True
    match node:
        case ast.Name():
            return True
        case ast.UnaryOp(operand=operand):
            return has_all_moments(operand, random)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
            return has_all_moments(left, random) and has_all_moments(right, random)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return has_all_moments(left, random) and not names_in(right) & random
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant()):
            return has_all_moments(left, random)
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in _FUNCTIONS:
            return all(has_all_moments(each, random) for each in arguments)
        case ast.Call(args=arguments):
            return not any(names_in(each) & random for each in arguments)
    return False


def names_in(node: ast.expr) -> set[str]:
    """The names in an expression."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _of_chance(number: int) -> bool:
    atom = atom_at(number)
    if atom.name == "expectation":
        return False
    return atom.sort in RANDOM or any(_of_chance(x) for x in _inside(atom))


def _integrable(number: int) -> bool:
    """Whether all moments are seen to be finite."""
    atom = atom_at(number)
    if not _of_chance(number):
        return True
    if atom.name in _INTEGRABLE:
        return all(map(_integrable, _inside(atom))) and not any(map(_divides, atom.arguments))
    return atom.sort in RANDOM and not any(map(_of_chance, _inside(atom)))


def _divides(key: Any) -> bool:
    """Whether the term of this key has a divisor that depends on chance."""
    if isinstance(key, int) or key[0] == "thing":
        return False
    if key[0] == "vector":
        return any(_divides(coefficient) for _, coefficient in key[1])
    return any(is_random(("real", factor, ())) for factor, _ in key[2])


def _inside(atom: Atom) -> Iterator[int]:
    """The atoms in its arguments."""
    if atom.name == "power":
        base, exponent = atom.arguments
        yield from _numbers(base)
        yield from (x for x, _ in exponent)
        return
    for key in atom.arguments:
        yield from _numbers(key)


def _numbers(key: Any) -> Iterator[int]:
    """The atoms in the term of this key."""
    if isinstance(key, int):
        yield key
    elif key[0] == "real":
        for polynomial in (key[1], *(factor for factor, _ in key[2])):
            yield from (x for monomial, _ in polynomial for x, _ in monomial)
    elif key[0] == "vector":
        for v, coefficient in key[1]:
            yield v
            yield from _numbers(coefficient)
    else:
        for argument in key[3]:
            yield from _numbers(argument)
