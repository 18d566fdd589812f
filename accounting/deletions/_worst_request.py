"""The request with the largest mu, by bounds on blocks of requests."""

import math
from collections.abc import Callable
from heapq import heappop, heappush

import numpy as np

from accounting.deletions._prefixes import Stretch
from accounting.deletions._products import Array


def largest_mu(
    parts: list[Stretch], most: Array, best: float, exact: Callable[[int], float]
) -> float:
    """The largest of `best` and the mu of all requests.

    most: upper bounds on mu, (k,), 0 for a request that `best` counts already; exact: mu of a
    request, called where its bound exceeds the largest so far.
    """
    # Blocks of requests, the one with the largest bound first: (-bound, part, first, end).
    todo = [(-math.inf, number, 0, len(part)) for number, part in enumerate(parts)]
    while todo:
        negative, number, first, end = heappop(todo)
        if -negative <= best:
            break
        part = parts[number]
        bounds = np.minimum(part.mus(first, end), most[part.begin + first : part.begin + end])
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
