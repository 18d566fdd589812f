"""Cases of an expression: minima, maxima, absolute values and branches opened one by one."""

from dataclasses import dataclass
from typing import Any

import sympy as sp  # type: ignore[import-untyped, unused-ignore]

MOST = 24
OPENED = (sp.Piecewise, sp.Min, sp.Max, sp.Abs)


@dataclass(frozen=True)
class Case:
    """An expression without cases, and the conditions under which it is the whole one."""

    expression: Any
    where: tuple[Any, ...] = ()


def generic(expression: Any) -> Any:
    """The expression with symbols that may be 0 taken positive, and without null branches.

    A null branch holds where a parameter has one certain value (a gap of 0). Boundaries are the
    business of the form itself. What the terms of a sum share stands before it: formulas may sum in
    units that keep floats small, (i/k)^w for i^w.
    """
    # Positive, not only >= 0: sympy then splits logarithms and roots; 0 is a border.
    positive = {
        s: sp.Symbol(s.name, positive=True, integer=s.is_integer or None)
        for s in expression.free_symbols
        if isinstance(s, sp.Symbol) and s.is_extended_nonnegative
    }
    generic_form = expression.xreplace(positive)
    generic_form = generic_form.replace(lambda z: isinstance(z, sp.Piecewise), _without_null)
    scaled = generic_form.replace(lambda z: isinstance(z, sp.Sum), _unscaled)
    return generic_form if scaled == generic_form else _roots_split(scaled)


def _unscaled(node: Any) -> Any:
    """A sum over (i/k)^w, an index over a symbol > 0, as k^-w times that over i^w; others as is."""
    if len(node.limits) != 1:
        return node
    index = node.limits[0][0]
    fixed, free = sp.expand_power_base(node.function).as_independent(index)
    # Without the index in a product below a power there is nothing to take out.
    powers = [f for f in node.function.atoms(sp.Pow) if f.base.is_Mul and f.base.has(index)]
    if not powers or fixed == 1:
        return node
    return fixed * sp.Sum(free, *node.limits)


def _roots_split(expression: Any) -> Any:
    """Roots of products as products of roots, where factors are known to be positive."""
    return expression.replace(lambda z: z.is_Pow and z.base.is_Mul, sp.expand_power_base)


def _without_null(node: Any) -> Any:
    pieces = []
    for value, condition in node.args:
        # An equality holds on a null set: its branch says nothing of other numbers.
        if isinstance(condition, sp.Eq):
            continue
        # The opposite of null sets holds all but everywhere: what follows is never reached.
        if all(isinstance(part, sp.Ne) for part in sp.And.make_args(condition)):
            pieces.append((value, True))
            break
        pieces.append((value, condition))
    return sp.Piecewise(*pieces)


def cases(expression: Any) -> list[Case]:
    """The cases of an expression, at most `MOST`; what hangs on an index is left as it is."""
    leaves: list[Case] = []
    open_ = [Case(expression)]
    while open_:
        case = open_.pop()
        node = _innermost(case.expression)
        # One more branch would pass the limit: the node stays closed, and no sign is then seen.
        if node is None or len(leaves) + len(open_) >= MOST:
            leaves.append(case)
            continue
        for value, where in _branches(node):
            branch = case.expression.xreplace({node: value})
            open_.append(Case(branch, (*case.where, *where)))
    return leaves


def possible(rows: list[Case]) -> list[Case]:
    """The cases without those whose conditions fail for all symbols, and without what always holds.

    Certificates count all cases; answers are given of these.
    """
    feasible = []
    for case in rows:
        where = tuple(dict.fromkeys(w for w in case.where if w != True))  # noqa: E712
        # sympy writes x < x and the like as false.
        if sp.false not in where and not _contradictory(where):
            feasible.append(Case(case.expression, where))
    return feasible


def _contradictory(where: tuple[Any, ...]) -> bool:
    """Whether a condition and the opposite of another cannot hold together."""
    conjuncts = {part for condition in where for part in sp.And.make_args(condition)}
    return any(sp.Not(part) in conjuncts for part in conjuncts if isinstance(part, sp.Rel))


def _innermost(expression: Any) -> Any:
    """The first node with cases that holds no other and no index of a sum."""
    # A case that hangs on the index differs from term to term: no one branch holds of the sum.
    bound = {limits[0] for node in expression.atoms(sp.Sum, sp.Product) for limits in node.limits}
    # Innermost first: the conditions of a node that holds another are then free of cases.
    for node in sp.postorder_traversal(expression):
        if isinstance(node, OPENED) and not node.free_symbols & bound:
            return node
    return None


def _branches(node: Any) -> list[tuple[Any, tuple[Any, ...]]]:
    if isinstance(node, sp.Abs):
        (x,) = node.args
        return [(x, (x >= 0,)), (-x, (x < 0,))]
    if isinstance(node, sp.Piecewise):
        before: tuple[Any, ...] = ()
        branches = []
        for value, condition in node.args:
            branches.append((value, (*before, *(() if condition == True else (condition,)))))  # noqa: E712
            # A branch holds where its condition does and no earlier one did.
            before = (*before, sp.Not(condition))
        return branches
    # Ordered, so that certificates may number the cases.
    args = sp.ordered(node.args)
    least = isinstance(node, sp.Min)
    rows = list(args)
    return [(a, tuple((a <= b if least else a >= b) for b in rows if b is not a)) for a in rows]
