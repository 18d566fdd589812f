"""Privacy problems: what is trained, deleted and released; how much noise; what noise certifies."""

from typing import TYPE_CHECKING

from accounting.lazy_names import lazy_names

if TYPE_CHECKING:
    from accounting.problems.answer import Answer, Answers, Target
    from accounting.problems.assumptions import (
        Adaptivity,
        Adjacency,
        Assumptions,
        Batches,
        Constants,
        NoiseOn,
        Reference,
        Released,
        Secret,
    )
    from accounting.problems.clipped import Clipped
    from accounting.problems.contraction import Contraction
    from accounting.problems.descent_to_delete import DescentToDelete
    from accounting.problems.dp_sgd import SampledDescent
    from accounting.problems.problem import Problem
    from accounting.problems.tracking import Tracking

__all__ = [
    "Adaptivity",
    "Adjacency",
    "Answer",
    "Answers",
    "Assumptions",
    "Batches",
    "Clipped",
    "Constants",
    "Contraction",
    "DescentToDelete",
    "NoiseOn",
    "Problem",
    "Reference",
    "Released",
    "SampledDescent",
    "Secret",
    "Target",
    "Tracking",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "accounting.problems.answer": "Answer Answers Target",
        "accounting.problems.assumptions": """
            Adaptivity Adjacency Assumptions Batches Constants NoiseOn Reference
            Released Secret
        """,
        "accounting.problems.clipped": "Clipped",
        "accounting.problems.contraction": "Contraction",
        "accounting.problems.descent_to_delete": "DescentToDelete",
        "accounting.problems.dp_sgd": "SampledDescent",
        "accounting.problems.problem": "Problem",
        "accounting.problems.tracking": "Tracking",
    },
)
