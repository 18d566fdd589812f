"""forgetproof: whether an unlearning guarantee is true, and how little noise it really needs.

The nouns of a paper, and of its checks, are here for those who bring one of their own.
"""

from importlib import import_module
from typing import TYPE_CHECKING
from warnings import warn

if TYPE_CHECKING:
    from accounting.problems import Answer, Problem, Target
    from bounds import (
        Edit,
        Form,
        Hypothesis,
        Interpretation,
        Paper,
        Plot,
        Proof,
        Statement,
        Symbol,
    )
    from forgetproof.deletion.forgetting import forget
    from forgetproof.for_rows import noise_for
    from forgetproof.linting import lint
    from forgetproof.opacus_deletion import opacus_plan
    from simulators.erm.certify import certify_erm
    from verify.checks import Check, Instances, Limit, case_table

__version__ = "1.0.0"
__all__ = [
    "Answer",
    "Check",
    "Edit",
    "Form",
    "Hypothesis",
    "Instances",
    "Interpretation",
    "Limit",
    "Paper",
    "Plot",
    "Problem",
    "Proof",
    "Statement",
    "Symbol",
    "Target",
    "__version__",
    "case_table",
    "certify_erm",
    "forget",
    "lint",
    "noise_for",
    "opacus_plan",
]
_HOMES = {
    **dict.fromkeys(("Check", "Instances", "Limit", "case_table"), "verify.checks"),
    "certify_erm": "simulators.erm.certify",
    "forget": "forgetproof.deletion.forgetting",
    "lint": "forgetproof.linting",
    "noise_for": "forgetproof.for_rows",
    "opacus_plan": "forgetproof.opacus_deletion",
    **dict.fromkeys(("Answer", "Problem", "Target"), "accounting.problems"),
}


def __getattr__(name: str) -> object:
    """The nouns are imported when they are asked for: the command needs few of them.

    A file in front that hides a package of ours is passed over with a warning that names it.
    Raises ImportError where that file is imported already.
    """
    if name not in __all__:
        raise AttributeError(f"module 'forgetproof' has no attribute {name!r}")
    if in_front := import_module("forgetproof.guard").insist_on_ours():
        warn(f"{in_front}; forgetproof imports its own", stacklevel=2)
    return getattr(import_module(_HOMES.get(name, "bounds")), name)


def __dir__() -> list[str]:
    return __all__
