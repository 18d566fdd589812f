"""What the papers state: statements, their forms (printed, corrected, tight), interpretations and
proofs.

`bounds.get("sglu.lem3.4")` returns a `Statement`; calling one of its forms evaluates it on numbers
or arrays, after every argument and every hypothesis has been checked.

What a statement is made of
    statements   the statement itself, and the variable of its plot
    symbols      arguments: names, meanings and ranges
    hypotheses   conditions between arguments
    draws        random arguments inside every range and hypothesis
    forms        one formula, as printed, corrected or tight
    interpretations     ways to read it, their proofs, and edits that repair it
    certificates  what a machine checked of its proofs
    kernel       a checker of proofs, line by line, on the standard library alone
    proof_files  proofs that it accepts, beside statements and bound to their forms
    docstrings   the one text of a form, and its sections
    namespaces   the namespaces of numbers, digits and symbols over which a form is written once
    units        what forms are measured in, and whose terms disagree
    trends       which way forms go in their arguments, and where to
    algebra      what people do with a formula: solve, differentiate, limits, ratios
    balls        expressions in ball arithmetic: intervals that hold the exact value
    homogeneous  quotients of powers without a singularity
    pochhammer   what decaying steps leave of a distance
    unicode_formulas  a formula in TeX as a line of Unicode
    unicode_signs     its signs
    labels       statements by their labels, or the beginning of one, as a person writes them
    library      papers, and from an id to its statement
    declared     the privacy problems and the experiments that papers name
    faults       where in a paper's code an exception arose, and with what arguments
Papers, one module for each statement, and the accountants that a paper's commands compare
    sglu         stochastic gradient Langevin unlearning: accountants
    olu          online learning and unlearning: accountants
    hf, mini     recollection and the last k steps of a trajectory: certificates, noise
    guo          certified removal by a Newton step: newton_certificate, newton_noise
    safe         streams of deletions: noise
    own          our own theorems on noisy contractions and on the least noise for deletions
"""

from typing import TYPE_CHECKING

from accounting.lazy_names import lazy_names
from bounds.forms import Form
from bounds.hypotheses import Hypothesis
from bounds.interpretations import Edit, Interpretation, Proof, Written
from bounds.library import Paper, broken, get, ids, lost, paper, papers, statements
from bounds.statements import Plot, Statement
from bounds.symbols import Symbol

if TYPE_CHECKING:
    from bounds.labels import claim, lookup

__all__ = [
    "Edit",
    "Form",
    "Hypothesis",
    "Interpretation",
    "Paper",
    "Plot",
    "Proof",
    "Statement",
    "Symbol",
    "Written",
    "broken",
    "claim",
    "get",
    "ids",
    "lookup",
    "lost",
    "paper",
    "papers",
    "statements",
]

__getattr__, __dir__ = lazy_names(__name__, {"bounds.labels": "claim lookup"})
