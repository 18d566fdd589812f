"""What a search for noise asks again and again: answers kept, and numbers on a coarse scale."""

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

MOST = 4096  # answers of one setting


def remembered(accountant: Callable[[Any, float], float]) -> Callable[..., float]:
    """The method, asked once for every sigma; its object keeps the answers in `known`."""

    @wraps(accountant)
    def asked(self: Any, sigma: float) -> float:
        key = accountant.__name__, sigma
        if key not in self.known:
            if len(self.known) == MOST:
                self.known.clear()
            self.known[key] = accountant(self, sigma)
        answer: float = self.known[key]
        return answer

    return asked


def coarse(x: float) -> float:
    """The nearest power of 2^(1/4)."""
    return float(2.0 ** (round(4 * math.log2(x)) / 4))
