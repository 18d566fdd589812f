"""Noise for a stream of deletions: what Theorem 2 of safe prints, and what each method needs.

SAFE and tracking publish a model after every round (`accounting.publications.deletion_stream`). In
both the law to compare with is "retrain, then the same noise"; against a deterministic reference no
noise serves.
"""

import numpy as np
from numpy.typing import ArrayLike

from accounting.numerics.validation import choice, count, real, scalar
from accounting.publications.deletion_stream import DeletionStream
from accounting.publications.privacy import publication_epsilon, publication_noise
from accounting.publications.tracking import finite
from bounds.forms import Array

ACCOUNTANTS = ("printed", "corrected", "exact", "tracking")


def distances(accountant: str, stream: DeletionStream) -> Array:
    """Bounds (T,) on the distance from retraining of what the accountant's method publishes."""
    if choice("accountant", accountant, ACCOUNTANTS) == "tracking":
        return stream.tracking_distances
    return stream.step_distances


def noise(
    accountant: str, stream: DeletionStream, epsilon: float, delta: float, releases: int = 1
) -> Array:
    """Standard deviations sigma_t (T,) of the perturbation of each published model.

    printed: sqrt(phi), phi = W sqrt(2 ln(1.25/delta))/epsilon being called a variance (Theorem 2 of
    safe), the same in every round and for any number of releases.
    corrected: the classical formula at the distance of SAFE, proved for epsilon < 1.  Both divide
    by epsilon: inf at epsilon 0.
    exact: the least noise for SAFE at that distance.  tracking: the least noise for tracking.
    releases: how many of the models one observer sees.

    Raises ValueError out of range.
    """
    k = count("releases", releases, low=1, high=stream.rounds)
    if choice("accountant", accountant, ACCOUNTANTS) in ("exact", "tracking"):
        return publication_noise(distances(accountant, stream), epsilon, delta, releases=k)
    e = scalar("epsilon", epsilon, low=0.0, high_open=True)
    d = scalar("delta", delta, low=0.0, high=1.0, low_open=True, high_open=True)
    if e == 0:
        return np.full(stream.rounds, np.inf)
    with np.errstate(over="ignore"):
        classical = finite("epsilon", np.asarray(np.sqrt(2 * np.log(1.25 / d)) / np.float64(e)))
        if accountant == "printed":
            assert stream.radius is not None
            return finite("radius", np.full(stream.rounds, np.sqrt(stream.radius * classical)))
        return finite("gamma", np.sqrt(k) * distances(accountant, stream) * classical)


def certified(
    accountant: str, stream: DeletionStream, sigma: ArrayLike, delta: float, releases: int = 1
) -> Array:
    """The epsilons (T,) that noise sigma_t really gives the method, `releases` of them together.

    0 for infinite noise.  Raises ValueError out of range.
    """
    k = count("releases", releases, low=1, high=stream.rounds)
    s = real("sigma", sigma, low=0.0)
    errors = np.sqrt(k) * distances(accountant, stream)
    epsilon = publication_epsilon(errors, np.where(np.isinf(s), 1.0, s), delta)
    return np.where(np.isinf(s), 0.0, epsilon)
