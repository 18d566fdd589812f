"""Where the hypotheses of a proof come from: ranges, what the statement requires, or the proof.

What is left, beside the named settings, says what is measured: equations that define a name of the
proof, and inequalities between quantities that no symbol of the statement stands for. A person
reads those.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bounds.hypotheses import Hypothesis
from bounds.kernel import ProofRejected, Proved
from bounds.kernel.algebra import Real
from bounds.kernel.scope import Fact, Scope
from bounds.kernel.syntax import quantified
from bounds.proof_files.terms import FormTerm
from bounds.statements import Statement
from bounds.symbols import Symbol


def of_its_own(proof: Proved, claim: Statement) -> list[str]:
    """The hypotheses that follow neither from ranges nor from what the statement requires."""
    return [each for each in proof.givens if not _follows(each, proof.scope, claim)]


def symbols_alone(hypothesis: str, claim: Statement) -> bool:
    """Whether a hypothesis speaks of nothing but symbols of the statement: it then must follow."""
    _, _, text = hypothesis.partition(":")
    nodes = ast.walk(quantified(text).claim)
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names <= claim.symbols.keys()


def _follows(hypothesis: str, scope: Scope, claim: Statement) -> bool:
    _, _, text = hypothesis.partition(":")
    statement = quantified(text)
    if statement.parameters or statement.guards:
        return False
    inside = Scope(scope.names)
    for label, fact in facts_of(claim, inside):
        inside.add(label, fact)
    try:
        return inside.known(inside.claim(statement.claim))
    except ProofRejected:
        return False


def facts_of(claim: Statement, scope: Scope) -> Iterator[tuple[str, Fact]]:
    """Ranges of the symbols that the proof has, and what the statement requires of them."""
    for symbol in claim.symbols.values():
        if scope.names.get(symbol.name) in ("real", "nat"):
            for place, text in enumerate(_range(symbol)):
                yield f"range_{symbol.name}_{place}", _closed(text, scope)
    required = (*claim.requires, *(h for r in claim.interpretations[:1] for h in r.where))
    for place, hypothesis in enumerate(required):
        for number, fact in enumerate(_compared(hypothesis, scope)):
            yield f"requires_{place}_{number}", fact


def _closed(text: str, scope: Scope) -> Fact:
    return Fact((), (), quantified(text).claim, dict(scope.names))


def _range(symbol: Symbol) -> Iterator[str]:
    if symbol.kind not in ("real", "integer"):
        return
    if _short(symbol.low):
        yield f"{int(symbol.low)} {'<' if symbol.low_open else '<='} {symbol.name}"
    if _short(symbol.high):
        yield f"{symbol.name} {'<' if symbol.high_open else '<='} {int(symbol.high)}"


def _short(end: float) -> bool:
    """Whether an end of a range is a whole number that a proof may speak of."""
    return abs(end) < 1e9 and end == int(end)


class _Compared(FormTerm):
    """A term that takes every comparison to be true and keeps its gap."""

    def __init__(self, term: FormTerm, gaps: list[tuple[FormTerm, bool]]) -> None:
        super().__init__(term.real, term.scope)
        self.gaps = gaps

    def _of(self, real: Real) -> FormTerm:
        return _Compared(FormTerm(real, self.scope), self.gaps)

    def _decided(self, gap: Real, *, strict: bool) -> bool:
        self.gaps.append((FormTerm(gap, self.scope), strict))
        return True


def _compared(hypothesis: Hypothesis, scope: Scope) -> list[Fact]:
    """What a hypothesis compares, as facts; nothing where it does more than compare numbers."""
    gaps: list[tuple[FormTerm, bool]] = []
    try:
        arguments = {
            name: _Compared(FormTerm(scope.real(ast.Name(name)), scope), gaps)
            for name in hypothesis.names
        }
        hypothesis.holds(**arguments)
    except (ProofRejected, TypeError, ValueError, AttributeError):
        return []
    facts = []
    for term, strict in gaps:
        names = {**scope.names, "gap": term.real}
        facts.append(Fact((), (), quantified("0 < gap" if strict else "0 <= gap").claim, names))
    return facts
