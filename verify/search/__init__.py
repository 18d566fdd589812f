"""Looks for violations of claims: domains, slack, optimisers, minimisation, certificates."""

from verify.search.finding import Finding
from verify.search.run import Budget, judge, search

__all__ = ["Budget", "Finding", "judge", "search"]
