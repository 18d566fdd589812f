"""What a tracker has to beat: never moving from w_0*, and retraining in every round."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from accounting import validation
from accounting.publications import publication_noise
from accounting.tracking import path_bounds
from simulators.streaming.deletions import Deletions
from simulators.streaming.minimise import Minimiser
from simulators.streaming.risk import Risk
from simulators.streaming.stream_run import StreamRun, finished
from simulators.streaming.track import checked_stream, trained_error


def keep_start(
    risk: Risk,
    deletions: Deletions,
    *,
    privacy: tuple[float, float] | None = None,
    releases: int = 1,
    measure: bool = False,
    seed: int = 0,
    claim: int = 0,
) -> StreamRun:
    """Hold u_t = w_0* in every round; |u_t - w_t*| <= 2 L_h M_t/(mu n_0) (safe, SAFE's D_t).

    privacy: (epsilon, delta) that every publication is certified for; None: no noise, and no
    guarantee.  The rest as for `track_and_publish`.  Raises ValueError on bad input.
    """
    checked_stream(risk, deletions, measure)
    minimiser = Minimiser(risk)
    # Seen from w_0*, all rows that have left so far leave at once.
    gone = np.cumsum(deletions.sizes, axis=1)[..., None]
    moved = path_bounds(risk.lipschitz, risk.strong_convexity, gone, deletions.n, ridge=True)
    errors = moved[..., 0] + trained_error(minimiser)
    sigma = np.zeros(errors.shape)
    if privacy is not None:
        sigma = publication_noise(errors, *_pair(privacy), releases=releases)
    held = minimiser.center.expand(*errors.shape, *risk.shape)
    spent = np.zeros(deletions.trials, dtype=np.int64)
    return finished(
        minimiser, deletions, held, errors, sigma, spent, measure=measure, seed=seed, claim=claim
    )


def retrain(
    risk: Risk,
    deletions: Deletions,
    *,
    sigma: ArrayLike = 0.0,
    measure: bool = False,
    seed: int = 0,
    claim: int = 0,
) -> StreamRun:
    """Publish w_t* + N(0, sigma_t^2 I): the reference of every guarantee, exact unlearning.

    sigma >= 0: one number, (T,) or (trials, T).  gradient_evaluations are 0: the minimisers are
    taken as given.  Raises ValueError on bad input.
    """
    checked_stream(risk, deletions, measure)
    minimiser = Minimiser(risk)
    shape = (deletions.trials, deletions.rounds)
    noise = validation.real("sigma", sigma, low=0.0, high_open=True)
    if noise.shape not in ((), shape[1:], shape):
        raise ValueError(f"sigma must be one number, {shape[1:]} or {shape}, got {noise.shape}")
    path = minimiser.path(deletions)
    small = minimiser.tolerance * minimiser.scale / risk.strong_convexity
    return finished(
        minimiser,
        deletions,
        path[:, 1:],
        np.full(shape, small),
        np.broadcast_to(noise, shape).copy(),
        np.zeros(shape[0], dtype=np.int64),
        measure=measure,
        seed=seed,
        claim=claim,
    )


def _pair(privacy: object) -> tuple[float, float]:
    if not isinstance(privacy, tuple) or len(privacy) != 2:
        raise ValueError(f"privacy must be a pair (epsilon, delta), got {privacy!r}")
    return privacy
