"""What a proof shows is the form: its own formula, over the terms of the proof.

    binds TERM = form [^2] [with N = n + 1, v = v[T], ..] [using [fact(t)], ..]

names the term of the goal that must be the form (or its square), what its arguments are in the
proof where their names differ (v[T] is the list v(0), .., v(T - 1)), and equations of the proof by
which one becomes the other.
"""

from __future__ import annotations

import ast
import re
from itertools import chain

from bounds.forms import Form
from bounds.kernel import ProofRejected, Proved
from bounds.kernel.algebra import Real, atom_at
from bounds.kernel.rules import replacing
from bounds.kernel.scope import Scope
from bounds.kernel.syntax import Quantified, called, expression, parts, quantified
from bounds.proof_files.recursions import Recursions
from bounds.proof_files.terms import FormScope, FormTerm, TermList, Terms, real_of

_BINDS = re.compile(r"(.*?) = form(\^2)?(?: with (.*?))?(?: using (.*))?")
_LIST = re.compile(r"(\w+)\[(.+)\]")


def bound(proof: Proved, form: Form) -> None:
    """Raises ProofRejected unless the term that is named is the form, and stands in the goal."""
    match = _BINDS.fullmatch(proof.binds)
    if match is None:
        raise ProofRejected(f"binds must be TERM = form, got {proof.binds!r}")
    _in_goal(expression(match[1]), quantified(proof.goal))
    scope = FormScope(replacing(_declared(proof), parts(match[4] or "", ",")))
    value = _value(form, scope, proof, match[3] or "")
    if match[2]:
        value = value * value
    gap = scope.real(expression(match[1])) - value
    if not _without_roots(gap).zero:
        raise ProofRejected(f"{match[1]} differs from the form")


def _in_goal(term: ast.expr, goal: Quantified) -> None:
    """Raises ProofRejected unless a side is the term, or the term times a factor, or an argument.

    A part of a side says nothing of the term: 0*(a + b), or 2*a + b.
    """
    if goal.guards:
        raise ProofRejected("a goal that is bound has no guards")
    if isinstance(goal.claim, ast.Compare):
        places = [goal.claim.left, *goal.claim.comparators]
        right = places[-1]
        if isinstance(right, ast.BinOp) and isinstance(right.op, ast.Mult):
            # norm(y) <= TERM*norm(x): the form is the ratio.
            places += [right.left] if called(right.right)[0] == "norm" else []
    else:
        places = called(goal.claim)[1]
    if ast.dump(term) not in map(ast.dump, places):
        raise ProofRejected(f"what is bound must be a side of the goal, got {ast.unparse(term)!r}")


def _declared(proof: Proved) -> Scope:
    """The scope of the proof, in which the parameters of goal and sums stand for any value."""
    scope = proof.scope.inner()
    of_sums = [scope.facts[f"{name}_1"].parameters for name in proof.definitions]
    for name, sort in (*quantified(proof.goal).parameters, *chain.from_iterable(of_sums)):
        if name not in scope.names:
            scope.declare(name, sort)
    return scope


def _value(form: Form, scope: FormScope, proof: Proved, renamed: str) -> Real:
    if form.formula is None:
        raise ProofRejected("a form that is bound has a formula")
    values = dict(place.split(" = ", 1) for place in parts(renamed, ","))
    arguments = {name: _argument(scope, values.get(name, name)) for name in form.arguments}
    of_goal = frozenset(name for name, _ in quantified(proof.goal).parameters)
    recursions = Recursions(scope, proof.definitions, of_goal)
    return real_of(form.formula(Terms(scope, recursions), **arguments))


def _argument(scope: Scope, text: str) -> FormTerm | TermList:
    """A term; f[k] is the list f(0), .., f(k - 1)."""
    listed = _LIST.fullmatch(text)
    if listed is None:
        return FormTerm(scope.real(expression(text)), scope)
    return TermList(listed[1], FormTerm(scope.real(expression(listed[2])), scope))


def _without_roots(real: Real) -> Real:
    """The term with sqrt(x)^2 written x."""
    total = Real.of(0)
    for monomial, a in real.above.items():
        product = Real.of(a)
        for x, k in monomial:
            atom = atom_at(x)
            if atom.name == "sqrt" and atom.arguments:
                _, above, below = atom.arguments[0]
                for _ in range(k // 2):
                    product *= Real(dict(above), dict(below))
                k %= 2
            for _ in range(k):
                product *= Real({((x, 1),): Real.of(1).above[()]})
        total += product
    return total
