"""What a proof shows is the form: its own formula, over the terms of the proof.

    binds TERM = form [^2] [with N = n + 1, v = v[T], ..] [using [fact(t)], ..]

names the term of the goal that must be the form (or its square), what its arguments are in the
proof where their names differ (v[T] is the list v(0), .., v(T - 1)), and equations of the proof by
which one becomes the other.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from itertools import chain

from bounds.forms import Form
from bounds.interpretations import Relation
from bounds.kernel import ProofRejected, Proved
from bounds.kernel.algebra import Real, atom_at
from bounds.kernel.rules import replacing
from bounds.kernel.scope import Scope, Sign
from bounds.kernel.syntax import Quantified, called, expression, parts, quantified
from bounds.proof_files.generality import refuse_special_cases
from bounds.proof_files.recursions import Recursions
from bounds.proof_files.terms import FormScope, FormTerm, TermList, Terms, real_of
from bounds.statements import Statement

_BINDS = re.compile(r"(.*?) = form(\^2)?(?: with (.*?))?(?: using (.*))?")
_LIST = re.compile(r"(\w+)\[(.+)\]")
_BOUNDS = {"winf": (2,), "gdp": (2,), "link": (2, 3), "dp": (2, 3)}
"""Places of a predicate's numbers that may be raised: it says that something is at most these."""
_ALLOWED: dict[Relation, tuple[Relation, ...]] = {
    "<=": ("<=", "=="),
    ">=": (">=", "=="),
    "==": ("==", "<="),
}
"""How what is measured relates to the form -> what a goal may say; of an equality, "at most"."""


def bound(proof: Proved, claim: Statement, form: str, relations: AbstractSet[Relation]) -> None:
    """Raises ProofRejected unless the term that is named is the form, and stands in the goal.

    `relations` are those of the interpretations that the proof is of: the goal must bound what is
    measured from the same side, for all values of the statement's symbols.
    """
    match = _BINDS.fullmatch(proof.binds)
    if match is None:
        raise ProofRejected(f"binds must be TERM = form, got {proof.binds!r}")
    says = _said(expression(match[1]), quantified(proof.goal))
    for relation in relations:
        if says not in _ALLOWED[relation]:
            raise ProofRejected(f"what is measured must be {relation} the form, got {says}")
    scope = FormScope(replacing(_declared(proof), parts(match[4] or "", ",")))
    arguments = _arguments(claim.forms[form], scope, match[3] or "")
    refuse_special_cases(claim, proof, arguments)
    value = _value(claim.forms[form], scope, proof, arguments)
    if match[2]:
        value = value * value
    gap = scope.real(expression(match[1])) - value
    if not _without_roots(gap, scope).zero:
        raise ProofRejected(f"{match[1]} differs from the form")


def _said(term: ast.expr, goal: Quantified) -> Relation:
    """What the goal says of the term: whether something is at most, at least or equal to it.

    Raises ProofRejected unless a side is the term, or the term times a factor, or an argument. A
    part of a side says nothing of the term: 0*(a + b), or 2*a + b.
    """
    if goal.guards:
        raise ProofRejected("a goal that is bound has no guards")
    wanted = ast.dump(term)
    if isinstance(goal.claim, ast.Compare):
        equation = isinstance(goal.claim.ops[0], ast.Eq)
        left, right = goal.claim.left, goal.claim.comparators[-1]
        above = [right]
        if isinstance(right, ast.BinOp) and isinstance(right.op, ast.Mult):
            # norm(y) <= TERM*norm(x): the form is the ratio.
            above += [right.left] if called(right.right)[0] == "norm" else []
        if wanted in map(ast.dump, above):
            return "==" if equation else "<="
        if wanted == ast.dump(left):
            return "==" if equation else ">="
    else:
        name, nodes = called(goal.claim)
        if wanted in [ast.dump(nodes[i]) for i in _BOUNDS.get(name, ()) if i < len(nodes)]:
            return "<="
    raise ProofRejected(f"what is bound must be a side of the goal, got {ast.unparse(term)!r}")


def _declared(proof: Proved) -> Scope:
    """The scope of the proof, in which the parameters of goal and sums stand for any value."""
    scope = proof.scope.inner()
    of_sums = [scope.facts[f"{name}_1"].parameters for name in proof.definitions]
    for name, sort in (*quantified(proof.goal).parameters, *chain.from_iterable(of_sums)):
        if name not in scope.names:
            scope.declare(name, sort)
    return scope


def places_of_symbols(proof: Proved, claim: Statement) -> dict[str, str]:
    """Symbol -> the text of what it is in the proof, f[k] for a list; of a proof that is bound."""
    match = _BINDS.fullmatch(proof.binds)
    if match is None or proof.form not in claim.forms:
        return {}
    values = _renamed(match[3] or "")
    return {name: values.get(name, name) for name in claim.forms[proof.form].arguments}


def _renamed(text: str) -> dict[str, str]:
    return dict(place.split(" = ", 1) for place in parts(text, ","))


def _arguments(form: Form, scope: Scope, renamed: str) -> dict[str, FormTerm | TermList]:
    """What each argument of the form is in the proof."""
    values = _renamed(renamed)
    return {name: _argument(scope, values.get(name, name)) for name in form.arguments}


def _value(
    form: Form, scope: FormScope, proof: Proved, arguments: Mapping[str, FormTerm | TermList]
) -> Real:
    if form.formula is None:
        raise ProofRejected("a form that is bound has a formula")
    of_goal = frozenset(name for name, _ in quantified(proof.goal).parameters)
    recursions = Recursions(scope, proof.definitions, of_goal)
    return real_of(form.formula(Terms(scope, recursions), **arguments))


def _argument(scope: Scope, text: str) -> FormTerm | TermList:
    """A term; f[k] is the list f(0), .., f(k - 1)."""
    listed = _LIST.fullmatch(text)
    if listed is None:
        return FormTerm(scope.real(expression(text)), scope)
    return TermList(listed[1], FormTerm(scope.real(expression(listed[2])), scope))


def _without_roots(real: Real, scope: Scope) -> Real:
    """The term with sqrt(x)^2 written x, where x is seen to be >= 0."""
    total = Real.of(0)
    for monomial, a in real.above.items():
        product = Real.of(a)
        for x, k in monomial:
            atom = atom_at(x)
            if atom.name == "sqrt" and atom.arguments:
                _, above, below = atom.arguments[0]
                square = Real(dict(above), dict(below))
                if scope.sign(square) is not Sign.UNKNOWN:
                    for _ in range(k // 2):
                        product *= square
                    k %= 2
            for _ in range(k):
                product *= Real({((x, 1),): Real.of(1).above[()]})
        total += product
    return total
