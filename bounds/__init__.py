"""What the papers state: statements, their forms (printed, corrected, tight), readings and proofs.

`bounds.get("sglu.lem3.4")` returns a `Statement`; calling one of its forms evaluates it on numbers
or arrays, after every argument and every hypothesis has been checked.
"""

from bounds.forms import Form
from bounds.hypotheses import Hypothesis
from bounds.library import Paper, get, ids, paper, papers, statements
from bounds.readings import Edit, Proof, Reading
from bounds.statements import Plot, Statement
from bounds.symbols import Symbol

__all__ = [
    "Edit",
    "Form",
    "Hypothesis",
    "Paper",
    "Plot",
    "Proof",
    "Reading",
    "Statement",
    "Symbol",
    "get",
    "ids",
    "paper",
    "papers",
    "statements",
]
