"""Section 3 of mini: the notation, and the letter gamma that stands for two quantities."""

from typing import Any

from bounds.formula import Array, Formula, Requirement
from bounds.mini.symbols import n
from bounds.symbols import Symbol

formula = Formula(
    id="mini.not",
    label="Notation (Sections 3, 4.1 and 5.1)",
    left=r"\gamma\ \text{on the full batch}",
    symbols=(
        n,
        Symbol("u", "number of forgotten samples", "|D_U|", low=1, kind="integer"),
    ),
    requires=(Requirement("u < n", lambda u, n: u < n),),
)


@formula.form(
    "printed",
    tex=r"\gamma_s=-\frac{\Delta B_s}{B}",
    note="Section 4.1, on the full batch B = D; also B/\\bar B for the set difference",
)
def printed(n: Array, u: Array) -> Array:
    """gamma equals this value in Section 4.1. Source: mini, before eq (6)."""
    return -u / n


@printed.expression
def _(sp: Any, n: Any, u: Any) -> Any:
    return -u / n


@formula.form(
    "corrected",
    tex=r"\gamma=\frac{\mathbb{D}_U}{\mathbb{D}}",
    note="Section 5.1; called eta, the step size, in Section 5.2 and Appendix C",
)
def corrected(n: Array, u: Array) -> Array:
    """The unlearning ratio |D_U|/|D| equals this value. Source: mini, Section 5.1."""
    return u / n


@corrected.expression
def _(sp: Any, n: Any, u: Any) -> Any:
    return u / n
