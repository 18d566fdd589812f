"""`.. with [equation]`: atoms that an equation replaces."""

from __future__ import annotations

import ast

from bounds.kernel.algebra import Real, Vector
from bounds.kernel.syntax import USE, called, expression
from tools.coq.atoms import Equation
from tools.coq.claims import Cited, CitingLine
from tools.coq.context import NotExported, Rendering
from tools.coq.lemmas import RealLemma
from tools.coq.products import sides


def replace(line: CitingLine, rule: str) -> None:
    """Let the left side of an equation, one atom, be its right side from here on."""
    node = expression(rule)
    cited = line.instance(node, line.context.names)
    left, right = cited.claim.parts
    equation = Equation(right, _to_right(line, cited))
    atom = _single(left)
    if atom is not None and line.terms.atoms.texts[atom].sort == "nat":
        equation = _whole_equation(line, cited, node, atom, equation)
    line.terms.atoms.equations[left.value.key] = equation
    scope = line.context.scope
    equations = {**scope.equations, left.value.key: right.value}
    line.context.scope = type(scope)(scope.names, scope.facts, equations)


def _whole_equation(
    line: CitingLine, cited: Cited, node: ast.expr, atom: int, equation: Equation
) -> Equation:
    """The same of a whole number, for where one is asked for."""
    label, nodes = called(node)
    fact = line.context.facts[label.removeprefix(USE)]
    inner = dict(fact.names)
    for (name, sort), argument in zip(fact.parameters, nodes, strict=True):
        inner[name] = line.terms.of_sort(argument, line.context.names, sort)
    if not isinstance(fact.claim, ast.Compare):
        return equation
    try:
        whole = line.terms.whole(fact.claim.comparators[0], inner)
    except NotExported:
        return equation
    if not isinstance(equation.real.value, Real):
        return equation
    # Without differences on either side, so that it is an equation of whole numbers.
    more, less = sides(line.terms.atoms, equation.real.value)
    text, sums, name = line.terms.atoms.texts[atom].text, line.fresh("sums"), line.fresh("whole")
    line.script += [
        f"assert ({sums} : ({text} + {less} = {more})%nat).",
        f"{{ apply INR_eq. pose proof {equation.proof}. push. lra. }}",
        f"assert ({name} : ({text} = {whole.middle})%nat) by (clear - {sums}; lia).",
    ]
    return equation._replace(whole=whole, whole_proof=name)


def _to_right(line: CitingLine, cited: Cited) -> str:
    """A proof that the one text of the left side's atom is the middle of the right side."""
    left, right = cited.claim.parts
    atom = _single(left)
    if atom is not None and left.middle != f"⟦{atom}⟧":
        lemma = RealLemma(line)
        lemma.hypothesis(cited.claim.middle, line.moved(cited))
        return lemma.shown(f"⟦{atom}⟧ = {right.middle}", "lra")
    if isinstance(left.value, Vector) and not left.middle.startswith("⟦"):
        raise NotExported("an equation whose left side is a scaled vector")
    return line.moved(cited) if left.proof or right.proof else cited.proof


def _single(left: Rendering) -> int | None:
    if isinstance(left.value, Real):
        ((monomial, _),) = left.value.above.items()
        return monomial[0][0]
    return None
