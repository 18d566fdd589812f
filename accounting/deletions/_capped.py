"""Least deletion noise on a domain that the shifts would leave: each sigma_i given the ones before.

The distance of two runs is at most the diameter D, so the accounting may restart with D due at any
time; see `accounting.deletions._restarts` for what a restart owes, p, over the clock since, q.
While every request has the least noise given the ones before, the straight payment decides: mu_i is
the least p/sqrt(q) over the restarts, and sigma_i^2 the least of p^2/mu^2 - q, or 0.

Proof.  First, p^2 >= mu^2 q for all restarts and requests: in the clock, so divided by the
contraction since the start, a request changes q by sigma_i^2 alone, which leaves the least p^2/q
at mu^2 or above, and no p ever falls; a restart after the last noise has q = 0 before the next.
Now let r attain the least at i, where sigma_i^2 makes it p_i^2 = mu^2 q_i.  At a request m between,
the chord has paid p_i q_m/q_i = mu q_m/sqrt(q_i) <= mu sqrt(q_m) <= p_m, what has been due: it is
admissible.
"""

import math

import numpy as np

from accounting.deletions._restarts import Restarts
from accounting.deletions.privacy import Events
from accounting.deletions.schedule import Array

_LEAST = 16.0  # errors: the least share of the clock that a noise other than 0 adds


def capped_noise(events: Events, earlier: Array, count: int, mu: float) -> Array:
    """sigma_1..sigma_count: after the `earlier` ones each the least that keeps mu_i <= mu."""
    noise = np.zeros(count)
    noise[: earlier.size] = earlier
    if earlier.size == count:
        return noise
    error = events.rounding(count)
    gaps, restarts = events.gaps, Restarts(mu, error)
    gaps.clear()
    share = _LEAST * error
    for i in range(count):
        restarts.carry(gaps.factor(i), gaps.due(i), i)
        restarts.shift(*gaps.shift(i))
        # What was added before may do, or nothing be left to hide.
        if i >= earlier.size and restarts.bounds()[1] > mu:
            # A little less than mu, so that no rounding asks for more noise at a later request.
            least = restarts.missing(mu * (1 - share), share) * events.diameter
            if not math.isfinite(least):
                raise ValueError(f"sigma must be a float, got one beyond it at request {i + 1}")
            # What underflows is raised to a normal float.
            noise[i] = max(least, np.finfo(float).tiny)
        restarts.add(float(noise[i]) / events.diameter, i)
    return noise
