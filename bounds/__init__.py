"""Every formula of every paper, in the forms the paper prints, corrected, and tight.

`bounds.get("sglu.lem3.4")` returns a `Formula`; calling one of its forms evaluates it on numbers
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

from bounds.catalog import get, ids, module_of
from bounds.formula import Form, Formula
from bounds.symbols import Symbol

__all__ = ["Form", "Formula", "Symbol", "get", "ids", "module_of"]
