"""Deletions from an online learner.

Modules
    online_descent  the learner: constants and steps
    schedule        the deletions, and the shift of each
    noise           the least noise, allocated and online
    privacy         what given noise certifies
    active          shifts of unlearners that also correct
"""

from typing import TYPE_CHECKING

from accounting.lazy_names import lazy_names

if TYPE_CHECKING:
    from accounting.deletions.noise import (
        DeletionAccountant,
        allocated_noise,
        least_deletion_noise,
        minimal_noise,
    )
    from accounting.deletions.online_descent import OnlineDescent, inverse_root, inverse_time
    from accounting.deletions.privacy import deletion_mus
    from accounting.deletions.schedule import DeletionSchedule, Transport, transport

__all__ = [
    "DeletionAccountant",
    "DeletionSchedule",
    "OnlineDescent",
    "Transport",
    "allocated_noise",
    "deletion_mus",
    "inverse_root",
    "inverse_time",
    "least_deletion_noise",
    "minimal_noise",
    "transport",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "accounting.deletions.noise": """
            DeletionAccountant allocated_noise least_deletion_noise minimal_noise
        """,
        "accounting.deletions.online_descent": "OnlineDescent inverse_root inverse_time",
        "accounting.deletions.privacy": "deletion_mus",
        "accounting.deletions.schedule": "DeletionSchedule Transport transport",
    },
)
