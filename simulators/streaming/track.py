"""TrackAndPublish: follow the minimiser with a few gradient steps, publish with certified noise."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from accounting.publications.privacy import publication_noise
from accounting.publications.tracking import (
    best_step,
    gradient_contraction,
    path_bounds,
    tracking_errors,
)
from simulators.device.memory import Part, insist
from simulators.device.reporting import reporting_steps
from simulators.streaming.deletions import Deletions
from simulators.streaming.descent import descend
from simulators.streaming.features import flag
from simulators.streaming.minimise import Minimiser
from simulators.streaming.risk import Risk
from simulators.streaming.stream_run import StreamRun, finished

_ULP = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Tracker:
    """J = `steps` gradient steps a round, and publications that are (epsilon, delta)-certified.

    step_size: eta in (0, 2/L) (None: 2/(mu + L)).  releases: how many publications may be combined
    (`publication_noise`).  project: after each step, onto the ball that holds every minimiser; it
    never takes u farther from one.
    The certificate is in terms of the risk's constants.  Without `row_norm`, Risk takes them from
    max|x| of the data: then the rows must have a public norm bound (be scaled to one length), or
    sigma depends on them, and no guarantee holds.
    Promised and not promised: see `accounting.publications.privacy`.
    """

    steps: int
    epsilon: float
    delta: float
    step_size: float | None = None
    releases: int = 1
    project: bool = False

    def __post_init__(self) -> None:
        validation.count("steps", self.steps, low=0)
        publication_noise(0.0, self.epsilon, self.delta, releases=self.releases)
        if self.step_size is not None:
            validation.scalar("step_size", self.step_size, low=0.0, low_open=True, high_open=True)
        if not isinstance(self.project, bool):
            raise ValueError(f"project must be True or False, got {self.project!r}")

    @typed
    def eta(self, risk: Risk) -> float:
        """The step size for this risk; ValueError where a step would not contract."""
        return contracting_step(risk, self.step_size)

    @typed
    def errors(self, risk: Risk, deletions: Deletions, initial: float) -> np.ndarray:
        """D_t (trials, T), from the public constants and sizes alone; D_0 = `initial`."""
        eta, mu = self.eta(risk), risk.strong_convexity
        v = path_bounds(risk.lipschitz, mu, deletions.sizes, deletions.n, ridge=True)
        return tracking_errors(
            v,
            gradient_contraction(eta, mu, risk.smoothness),
            self.steps,
            initial=initial,
            step_error=rounding(risk, eta, initial),
        )


@typed
def contracting_step(risk: Risk, step_size: float | None) -> float:
    """The step size, or 2/(mu + L); ValueError where a step would not contract."""
    mu, L = risk.strong_convexity, risk.smoothness
    eta = best_step(mu, L) if step_size is None else step_size
    size = validation.scalar("step_size", eta, low=0.0, low_open=True, high_open=True)
    if not gradient_contraction(size, mu, L) < 1:
        raise ValueError(
            f"step_size must be below 2/L = {validation.shortest(2 / L)}, "
            f"got {validation.shortest(size)}"
        )
    return size


@typed
def rounding(risk: Risk, eta: float, initial: float) -> float:
    """Bound on a gradient step's rounding error in float64, to first order.

    From public numbers alone.  A step takes |u| to at most |1 - eta mu||u| + eta L_h, so that no
    iterate is farther out than |u_0| or the fixed point; |u_0| <= L_h/mu + initial.
    """
    # r -> |1 - eta mu| r + eta L_h has the fixed point L_h/mu max(1, eta mu/(2 - eta mu)).
    turned = eta * risk.strong_convexity
    far = risk.lipschitz / risk.strong_convexity * max(1.0, turned / (2.0 - turned)) + initial
    return 2 * _ULP * far + eta * gradient_rounding(risk, far)


@typed
def gradient_rounding(risk: Risk, far: float) -> float:
    """Bound on a gradient's rounding error at |w| <= far in float64, to first order.

    Scores of d products err by d ulps, which the curvature turns into a gradient's error; a mean
    of n gradients errs by n ulps of their size, in whatever order it is added up.
    """
    gradients = (len(risk.data) + 16) * risk.lipschitz
    # A rounding is half an ulp.
    return _ULP * (gradients + (risk.size + 16) * risk.smoothness * far) / 2


@typed
def trained_error(minimiser: Minimiser) -> float:
    """Bound on the distance of the minimisers found from the true ones, from public numbers."""
    risk = minimiser.risk
    # Minimisers have norms of at most L_h/mu: twice that leaves room for those found.
    radius = 2.0 * risk.lipschitz / risk.strong_convexity
    gradient = minimiser.tolerance * risk.lipschitz + gradient_rounding(risk, radius)
    # Strong convexity: mu |w - w*| <= |grad R(w)|.
    return gradient / risk.strong_convexity


def track_and_publish(
    tracker: Tracker,
    risk: Risk,
    deletions: Deletions,
    *,
    start: ArrayLike | None = None,
    initial_error: float | None = None,
    measure: bool = False,
    seed: int = 0,
    claim: int = 0,
    first_trial: int = 0,
) -> StreamRun:
    """Run u_t = J gradient steps on R_t^ret from u_{t-1}, w_t = u_t + N(0, sigma_t^2 I), t = 1..T.

    sigma_t = D_t/mu*(epsilon, delta), D_t = rho^J (D_{t-1} + v_t), v_t = 2 L_h m_t/(mu n_{t-1}).
    start: u_0 (*shape), with initial_error >= |u_0 - w_0*| a number that does not depend on the
    data; None: the minimiser over D_0.  measure: also find every w_t*.
    The noise of trial r is drawn from (seed, claim, r); first_trial: number of the first one.
    Source: safe, corrected Theorem 2 (B).
    L_h, mu and L are the risk's: give it `row_norm`, or rows of one public length, since without
    it max|x| of the data sets sigma.

    Raises ValueError for a risk without strong convexity or with unbounded data gradients, and for
    an initial error that the gradient at u_0 refutes.
    """
    _checked(tracker, risk, deletions, measure)
    minimiser = Minimiser(risk)
    if start is None:
        if initial_error is not None:
            raise ValueError(f"initial_error must come with a start, got {initial_error!r}")
        u0, initial = minimiser.center, trained_error(minimiser)
    else:
        u0 = torch.tensor(
            validation.real("start", start, low_open=True, high_open=True), device=risk.place
        )
        if tuple(u0.shape) != risk.shape:
            raise ValueError(f"start must have shape {risk.shape}, got {tuple(u0.shape)}")
        if initial_error is None:
            raise ValueError("initial_error must be given with a start, got None")
        initial = validation.scalar("initial_error", initial_error, low=0.0, high_open=True)
        everything = np.ones((1, len(risk.data)), dtype=bool)
        # |grad R_0(u_0)| <= L |u_0 - w_0*|: no smaller number can be the distance.
        least = float(risk.gradient(u0[None], everything).norm()) / risk.smoothness
        if least * (1 - 1e-9) > initial + trained_error(minimiser):
            raise ValueError(f"initial_error must be >= {least:.6g}, got {initial:.6g}")
    errors = tracker.errors(risk, deletions, initial)
    sigma = publication_noise(errors, tracker.epsilon, tracker.delta, releases=tracker.releases)
    points, states = u0.expand(deletions.trials, *risk.shape), []
    size = 8 * deletions.trials * deletions.rounds * risk.size
    insist(
        risk.place,
        kept=[Part("trials", deletions.trials, 4 * size)],
        held=[Part("trials", deletions.trials, 2 * size)],
    )
    eta, radius = tracker.eta(risk), risk.radius if tracker.project else math.inf

    def work(block: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        if math.isinf(radius):
            return descend(risk, block, weights, eta, tracker.steps)
        for _ in range(tracker.steps):
            block = projected(block - eta * risk.block_gradient(block, weights), radius)
        return block

    for t in reporting_steps(range(1, deletions.rounds + 1)):
        points = risk.in_blocks(work, *risk.checked(points, deletions.kept(t)))
        states.append(points)
    # Every step visits every row that is left.
    costs = tracker.steps * deletions.remaining[:, 1:].sum(axis=1)
    return finished(
        minimiser,
        deletions,
        torch.stack(states, dim=1),
        errors,
        sigma,
        costs,
        measure=measure,
        seed=seed,
        claim=claim,
        first_trial=validation.count("first_trial", first_trial, low=0),
    )


def projected(points: torch.Tensor, radius: float) -> torch.Tensor:
    """Onto the ball of that radius about 0, trial by trial; points inside stay as they are."""
    if math.isinf(radius):
        return points
    norms = torch.linalg.vector_norm(points.reshape(len(points), -1), dim=1)
    factors = (radius / norms).clamp(max=1.0)
    inside: torch.Tensor = points * factors.reshape(-1, *[1] * (points.ndim - 1))
    return inside


def _checked(tracker: object, risk: object, deletions: object, measure: object) -> None:
    if not isinstance(tracker, Tracker):
        raise ValueError(f"tracker must be a Tracker, got {tracker!r}")
    checked_stream(risk, deletions, measure)
    assert isinstance(risk, Risk)
    if not math.isfinite(risk.lipschitz):
        raise ValueError("risk must have bounded data gradients for certified noise, got inf")


def checked_stream(risk: object, deletions: object, measure: object) -> None:
    """ValueError unless they are a Risk, Deletions of its rows, and True or False."""
    flag("measure", measure)
    if not isinstance(risk, Risk):
        raise ValueError(f"risk must be a Risk, got {risk!r}")
    if not isinstance(deletions, Deletions) or deletions.n != len(risk.data):
        raise ValueError(f"deletions must be Deletions of {len(risk.data)} rows, got {deletions!r}")
