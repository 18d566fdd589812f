"""Names and sorts of a proof in Coq."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from bounds.kernel import theorems
from bounds.kernel.scope import BUILT_IN
from bounds.kernel.syntax import called
from tools.coq.context import NotExported

SORTS = {
    "real": "R",
    "nat": "nat",
    "vec": "vec",
    "law": "law",
    "map": "map",
    "set": "subset",
}
"""A sort of the kernel -> its type in Coq."""
FUNCTIONS = {"sqrt": "sqrt", "exp": "exp", "log": "ln", "abs": "Rabs", "norm": "norm"}
"""A function of one argument of the kernel -> its name in Coq."""
SPREAD = ("dot", "sq", "min")
"""Functions of the kernel that have rules of their own."""
_HERE = Path(__file__).parent
# Words of Coq, and names of its library that exported text uses.
_WORDS = """
as at cofix by do else end exists exists2 fix for forall fun if in let match Prop return Set SProp
then Type using where with R nat pow INR S O Nat lra ring sqrt exp ln Rabs Rmin eq_refl eq_sym
eq_trans f_equal f_equal2 f_equal3 f_equal4 f_equal5 pos_INR sqrt_pos sqrt_lt_R0 exp_pos Rabs_pos
Rmin_comm Rplus Rminus Rmult Rdiv Ropp ih
"""
_STATED = re.compile(r"^(?:Lemma|Axiom|Parameter|Definition|Ltac) ([\w ]+)", re.M)


@cache
def reserved() -> frozenset[str]:
    """Names that exported text uses: a proof's own name beside them gets a prime."""
    prelude = (_HERE / "prelude.v").read_text("utf-8")
    names = {name for names in _STATED.findall(prelude) for name in names.split()}
    claims = (node for t in theorems().values() for node in (*t.premises, t.conclusion))
    predicates = {called(node)[0] for node in claims}
    return frozenset({*_WORDS.split(), *names, *predicates, *BUILT_IN})


def coq_name(name: str) -> str:
    """The name in Coq of what a proof declares or labels."""
    return f"{name}'" if name in reserved() else name


def function_name(name: str) -> str:
    """The same of a function, which the language may have already."""
    return name if name in BUILT_IN else coq_name(name)


def theorem_name(name: str) -> str:
    """The name in Coq of a named theorem."""
    return f"by_{name}"


def coq_type(sort: str) -> str:
    """The type of a sort, such as `nat, real -> law`. Raises NotExported."""
    arguments, arrow, result = sort.rpartition("->")
    sorts = [*(arguments.split(",") if arrow else []), result]
    for part in sorts:
        if part.strip() not in SORTS:
            raise NotExported(f"no rule for the sort {part.strip()}")
    return " -> ".join(SORTS[part.strip()] for part in sorts)


def binders(parameters: tuple[tuple[str, str], ...]) -> str:
    """`(t : nat) (x : R)`."""
    return " ".join(f"({coq_name(name)} : {coq_type(sort)})" for name, sort in parameters)
