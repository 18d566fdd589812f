"""What a question about a formula is answered with: an expression, of which kind, and where."""

from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["closed", "closed on a branch", "numeric"]


@dataclass(frozen=True)
class Derived:
    """An answer that was verified by substitution before it was given.

    Attributes:
        question: what was asked, in words ("solve for K").
        kind: "closed" holds at every point tried; "closed on a branch" where `where` holds;
            "numeric" is a number, or the word that only a number can be had.
        expression: sympy, in the symbols of the statement; None where there is no closed form.
        where: conditions of the branch, as sympy relations.
        points: at how many random points inside the hypotheses it agreed on substitution.
        words: what the expression does not say.
    """

    question: str
    kind: Kind
    expression: Any
    where: tuple[Any, ...] = ()
    points: int = 0
    words: str = ""
