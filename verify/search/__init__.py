"""Looks for violations of claims: domains, slack, optimisers, minimisation, certificates."""

from typing import TYPE_CHECKING

from accounting.lazy_names import lazy_names

if TYPE_CHECKING:
    from verify.search.finding import Finding
    from verify.search.run import Budget, judge, search

__all__ = ["Budget", "Finding", "judge", "search"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "verify.search.finding": "Finding",
        "verify.search.run": "Budget judge search",
    },
)
