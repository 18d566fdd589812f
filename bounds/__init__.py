"""What the papers state: statements, their forms (printed, corrected, tight), readings and proofs.

`bounds.get("sglu.lem3.4")` returns a `Statement`; calling one of its forms evaluates it on numbers
or arrays, after every argument and every hypothesis has been checked.

What formulas are made of
    symbols      arguments: names, meanings and ranges
    formula      forms and hypotheses
    homogeneous  quotients of powers without a singularity
    catalog      from an id to its formula
Papers, one module for each statement, and the accountants that a paper's commands compare
    sglu         stochastic gradient Langevin unlearning: accountants
    olu          online learning and unlearning: accountants
    hf, mini     recollection and the last k steps of a trajectory: certificates, noise
    guo          certified removal by a Newton step: newton_certificate, newton_noise
    safe         streams of deletions: noise
"""

from bounds.forms import Form
from bounds.hypotheses import Hypothesis
from bounds.library import Paper, broken, get, ids, paper, papers, statements
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
    "broken",
    "get",
    "ids",
    "paper",
    "papers",
    "statements",
]
