"""Streams of publications: a model that follows its minimiser, seen on the way.

Modules
    tracking         how far a model is from the minimiser that it follows
    privacy          noise for what is published, one by one and jointly
    deletion_stream  what constants of a stream certify of one step from w_0, and of tracking
"""

from typing import TYPE_CHECKING

from accounting.lazy_names import lazy_names

if TYPE_CHECKING:
    from accounting.publications.privacy import (
        joint_mu,
        least_tracking_steps,
        publication_epsilon,
        publication_mus,
        publication_noise,
    )
    from accounting.publications.tracking import (
        best_step,
        gradient_contraction,
        path_bounds,
        tracking_errors,
    )

__all__ = [
    "best_step",
    "gradient_contraction",
    "joint_mu",
    "least_tracking_steps",
    "path_bounds",
    "publication_epsilon",
    "publication_mus",
    "publication_noise",
    "tracking_errors",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "accounting.publications.privacy": """
            joint_mu least_tracking_steps publication_epsilon publication_mus
            publication_noise
        """,
        "accounting.publications.tracking": """
            best_step gradient_contraction path_bounds tracking_errors
        """,
    },
)
