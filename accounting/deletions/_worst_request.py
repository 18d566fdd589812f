"""The request with the largest mu, by bounds on blocks of requests."""

import math
from collections.abc import Callable
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from accounting.deletions._prefixes import Stretch


def largest_mu(
    parts: list[Stretch], known: NDArray[np.bool_], best: float, exact: Callable[[int], float]
) -> float:
    """The largest of `best` and the mu of all requests that are not `known`, (k,).

    exact: mu of a request, called where its bound exceeds the largest so far.
    """
    # Of all blocks of requests the one with the largest bound comes first: (-bound, part, requests).
    todo = [(-math.inf, number, 0, len(part)) for number, part in enumerate(parts)]
    while todo:
        negative, number, first, end = heappop(todo)
        if -negative <= best:
            break
        part = parts[number]
        bounds = part.mus(first, end)
        bounds[known[part.begin + first : part.begin + end]] = 0.0
        last = end - 1
        # Its obstacle has no shift of another request's.
        if bounds[-1] > best:
            best = max(best, exact(part.begin + last))
        middle = (first + last) // 2
        for lower, upper in ((first, middle), (middle, last)):
            bound = float(bounds[lower - first : upper - first].max(initial=0.0))
            if bound > best:
                heappush(todo, (-bound, number, lower, upper))
    return best
