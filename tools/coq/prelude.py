"""The file on which all proofs stand: lemmas, and named theorems from the kernel's text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from bounds.kernel import theorems
from bounds.kernel.rules import Theorem
from bounds.kernel.scope import BUILT_IN, Scope
from tools.coq.context import Context
from tools.coq.line import statement
from tools.coq.words import SORTS, binders, coq_type, theorem_name

PRELUDE = "Prelude"
"""The name of the file."""
_PARTS = 5
"""Of a theorem: its name, parameters, premises, conclusion and source. Of more nothing is known."""
_HERE = Path(__file__).parent
_PROOF = re.compile(r"^\(\* (\w+) \*\)\n(Proof\..*?Qed\.)$", re.M | re.S)
_DECLARED = re.compile(r"^(?:Axiom|Parameter) ([\w ]+?) :", re.M)


def prelude() -> str:
    """The text of the file."""
    lines = [(_HERE / "prelude.v").read_text("utf-8"), "(* Functions and predicates. *)"]
    lines += [f"Parameter {name} : {coq_type(sort)}." for name, sort in BUILT_IN.items()]
    for name, sorts in predicates().items():
        types = " -> ".join([*(SORTS[sort] for sort in sorts), "Prop"])
        lines.append(f"Parameter {name} : {types}.")
    lines.append(
        "\n(* The named theorems; those that are proved here rest on no axiom of their own. *)"
    )
    lines += [_stated(theorem) for theorem in theorems().values() if expressible(theorem)]
    return "\n".join([*lines, ""])


def expressible(theorem: Theorem) -> bool:
    """Whether there is a rule for all that the theorem says; without it it is not stated."""
    _, parameters, *_ = theorem
    return not any(theorem[_PARTS:]) and all(sort in SORTS for _, sort in parameters)


def declared(text: str) -> frozenset[str]:
    """What such a text takes without a proof: its axioms and opaque types and functions."""
    return frozenset(name for names in _DECLARED.findall(text) for name in names.split())


@cache
def proofs_of_theorems() -> Mapping[str, str]:
    """Named theorem -> its proof in Coq."""
    return dict(_PROOF.findall((_HERE / "named_theorems.v").read_text("utf-8")))


def predicates() -> dict[str, tuple[str, ...]]:
    """The predicates of the named theorems, each with the sorts of its arguments."""
    named: dict[str, tuple[str, ...]] = {}
    for theorem in filter(expressible, theorems().values()):
        statement(_context(theorem), (*theorem.premises, theorem.conclusion), named)
    return named


def _context(theorem: Theorem) -> Context:
    context = Context(Scope(BUILT_IN), dict(BUILT_IN))
    for name, sort in theorem.parameters:
        context.declare(name, sort)
    return context


def _stated(theorem: Theorem) -> str:
    claims = statement(_context(theorem), (*theorem.premises, theorem.conclusion), {})
    stated = f"forall {binders(theorem.parameters)}, {' -> '.join(claims)}"
    name = theorem_name(theorem.name)
    proof = proofs_of_theorems().get(theorem.name)
    if proof is None:
        return f"(* {theorem.source} *)\nAxiom {name} : {stated}."
    return f"Theorem {name} : {stated}.\n{proof}"
