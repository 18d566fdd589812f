"""Sums of many terms that come one by one, in pairs of pairs.

Of k terms each is in at most log2(k) + 1 additions (a term that waits alone is in as few), so that
the error of the sum is at most (log2(k) + 1) 2^-53 of the sum of their absolute values (Higham,
Accuracy and Stability of Numerical Algorithms, section 4.2), where adding one after another errs by
k 2^-53 of it.
"""

from __future__ import annotations

from typing import Any


class PairwiseSum:
    """A sum of numbers, arrays or tensors of one shape, of which a few partial sums are held."""

    def __init__(self) -> None:
        # The sums of 2^i terms for the bits i of their number, the largest first.
        self._sums: list[Any] = []
        self._count = 0

    def add(self, term: Any) -> None:
        """One term more; it must not be changed afterwards."""
        self._count += 1
        count = self._count
        while count % 2 == 0:
            term = self._sums.pop() + term
            count //= 2
        self._sums.append(term)

    @property
    def total(self) -> Any:
        """The sum; 0.0 of no terms."""
        # The smallest partial sums first.
        result: Any = 0.0
        for place, each in enumerate(reversed(self._sums)):
            result = each if not place else each + result
        return result
