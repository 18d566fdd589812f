"""What a tracker has to beat: never moving, retraining in every round, and perturbed descent."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import ArrayLike

from accounting.numerics import validation
from accounting.publications.privacy import publication_noise
from accounting.publications.tracking import path_bounds
from simulators.device.reporting import reporting_steps
from simulators.streaming.deletions import Deletions
from simulators.streaming.descent import descend
from simulators.streaming.minimise import Minimiser
from simulators.streaming.publication import normals
from simulators.streaming.risk import Risk
from simulators.streaming.stream_run import StreamRun, finished
from simulators.streaming.track import checked_stream, contracting_step, trained_error


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
    removal_counts = np.cumsum(deletions.sizes, axis=1)[..., None]
    shifts = path_bounds(
        risk.lipschitz, risk.strong_convexity, removal_counts, deletions.n, ridge=True
    )
    errors = shifts[..., 0] + trained_error(minimiser)
    sigma = np.zeros(errors.shape)
    if privacy is not None:
        sigma = publication_noise(errors, *_pair(privacy), releases=releases)
    states = minimiser.center.expand(*errors.shape, *risk.shape)
    costs = np.zeros(deletions.trials, dtype=np.int64)
    return finished(
        minimiser, deletions, states, errors, sigma, costs, measure=measure, seed=seed, claim=claim
    )


def retrain(
    risk: Risk,
    deletions: Deletions,
    *,
    sigma: ArrayLike = 0.0,
    measure: bool = False,
    seed: int = 0,
    claim: int = 0,
    tolerance: float = 1e-13,
) -> StreamRun:
    """Publish w_t* + N(0, sigma_t^2 I): the reference of every guarantee, exact unlearning.

    sigma >= 0: one number, (T,) or (trials, T).  gradient_evaluations are 0: the minimisers are
    taken as given.  tolerance: theirs, as of `Minimiser`.  Raises ValueError on bad input.
    """
    checked_stream(risk, deletions, measure)
    minimiser = Minimiser(risk, tolerance)
    shape = (deletions.trials, deletions.rounds)
    noise = _scales(sigma, shape)
    path = minimiser.path(deletions)
    # Strong convexity: mu |w - w*| <= |grad R(w)| <= tolerance times scale.
    small = minimiser.tolerance * minimiser.scale / risk.strong_convexity
    return finished(
        minimiser,
        deletions,
        path[:, 1:],
        np.full(shape, small),
        noise,
        np.zeros(shape[0], dtype=np.int64),
        measure=measure,
        seed=seed,
        claim=claim,
    )


def perturbed_descent(
    risk: Risk,
    deletions: Deletions,
    *,
    steps: int,
    sigma: ArrayLike = 0.0,
    step_size: float | None = None,
    measure: bool = False,
    seed: int = 0,
    claim: int = 0,
    tolerance: float = 1e-13,
) -> StreamRun:
    """Desc of safe: J gradient steps on what is kept, from what was published, then noise.

    w_t = G_t^J(w_{t-1}) + N(0, sigma_t^2 I), w_0 = w_0*, G_t(w) = w - eta grad R_t^ret(w): the
    variant of Descent to Delete without secret state (Neel, Roth and Sharifi-Malvajerdi 2021).  The
    noise of earlier rounds is in the start of later ones and has no bound, so nor has the distance
    to w_t*: errors are inf.  `track_and_publish` is the variant that keeps a secret state.

    steps: J >= 0.  sigma: as of `retrain`.  step_size: in (0, 2/L) (None: 2/(mu + L)).
    tolerance: of the minimiser w_0*, as of `Minimiser`.  The rest as for `track_and_publish`.
    Raises ValueError on bad input.
    """
    checked_stream(risk, deletions, measure)
    count = validation.count("steps", steps, low=0)
    eta = contracting_step(risk, step_size)
    minimiser = Minimiser(risk, tolerance)
    shape = (deletions.trials, deletions.rounds)
    noise = _scales(sigma, shape)
    # The draws that `finished` adds as well: a round begins at what the last one published.
    samples = torch.tensor(normals((*shape, *risk.shape), seed, claim))
    points, states = minimiser.center.expand(deletions.trials, *risk.shape), []
    for t in reporting_steps(range(1, deletions.rounds + 1)):
        start, weights = risk.checked(points, deletions.kept(t))
        states.append(risk.in_blocks(lambda u, w: descend(risk, u, w, eta, count), start, weights))
        scale = torch.tensor(noise[:, t - 1]).reshape(-1, *[1] * len(risk.shape))
        points = states[-1] + (scale * samples[:, t - 1]).to(risk.place)
    return finished(
        minimiser,
        deletions,
        torch.stack(states, dim=1),
        np.full(shape, np.inf),
        noise,
        count * deletions.remaining[:, 1:].sum(axis=1),
        measure=measure,
        seed=seed,
        claim=claim,
    )


def _scales(sigma: ArrayLike, shape: tuple[int, int]) -> np.ndarray:
    """Standard deviations (trials, T) from one number, (T,) or (trials, T)."""
    noise = validation.real("sigma", sigma, low=0.0, high_open=True)
    if noise.shape not in ((), shape[1:], shape):
        raise ValueError(f"sigma must be one number, {shape[1:]} or {shape}, got {noise.shape}")
    return np.broadcast_to(noise, shape).copy()


def _pair(privacy: object) -> tuple[float, float]:
    if not isinstance(privacy, tuple) or len(privacy) != 2:
        raise ValueError(f"privacy must be a pair (epsilon, delta), got {privacy!r}")
    return privacy
