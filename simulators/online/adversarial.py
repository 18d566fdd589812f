"""Streams made to hurt: worst signs, and the counterexamples to olu Theorems 3, 4 and 5.

A stream together with the deletions that make it bad, and the start it is meant for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from accounting.deletions.schedule import DeletionSchedule
from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators import domains
from simulators.losses.hinge import SmoothedHinge
from simulators.losses.huber import Huber
from simulators.online.linear import Linear
from simulators.online.quadratics import Quadratics
from simulators.online.rows import Rows
from simulators.online.steps import Adaptive, Steps, schedule
from simulators.online.streams import Stream, projected

_LARGEST = 1e140


@dataclass(frozen=True, eq=False)
class Instance:
    """A stream, its deletions (None: none), and w_1 (d,)."""

    stream: Stream
    requests: DeletionSchedule | None
    initial: np.ndarray


@typed
def worst_signs(
    rounds: int,
    gradient: float = 1.0,
    curvature: float = 1.0,
    *,
    steps: Steps | None = None,
    signs: ArrayLike | None = None,
    initial: float = 0.0,
    domain: domains.Domain | None = None,
) -> Quadratics:
    """x_t = w_t + s_t G/mu on the line: every gradient the noiseless learner meets has norm G.

    Against eta_t = 1/(mu t) (the default) without projection the regret is (mu/2)(G/mu)^2 H_T,
    whatever the signs (olu eq 2 is attained).  gradient G > 0, curvature mu > 0; signs: +-1, one
    a round; alternating if None.  The stream is computed from the learner's path and then fixed.
    """
    T = validation.count("rounds", rounds, low=1)
    G = validation.scalar("gradient", gradient, low=0.0, low_open=True, high_open=True)
    mu = validation.scalar("curvature", curvature, low=0.0, low_open=True, high_open=True)
    t = np.arange(1, T + 1)
    s = np.where(t % 2 == 1, 1.0, -1.0) if signs is None else validation.real("signs", signs)
    if s.shape != (T,) or not (np.abs(s) == 1.0).all():
        raise ValueError(f"signs must be {T} numbers -1 or +1, got shape {s.shape}")
    with np.errstate(over="ignore", divide="ignore"):
        eta = 1.0 / (mu * t) if steps is None else schedule(steps, T)
    # Every gradient has norm G, so that p(t) = t G^2 is known.
    if isinstance(eta, Adaptive):
        eta = eta.diameter / (G * np.sqrt(t))
    w = validation.scalar("initial", initial, low_open=True, high_open=True)
    home = domains.check(domain)
    points = np.empty(T)
    with np.errstate(over="ignore", invalid="ignore"):
        for i in range(T):
            # The gradient at w is then mu (w - x_t) = -s_t G.
            points[i] = w + s[i] * G / mu
            w = float(projected(home, np.array([w + eta[i] * s[i] * G]))[0])
    largest = float(np.abs(points).max())
    if not largest < _LARGEST:
        raise ValueError(
            f"gradient, curvature, steps and initial must keep points below {_LARGEST:g} (their "
            f"squares are summed), got {largest:g}"
        )
    return Quadratics(points, mu, home)


def alternating(n: int, k: int) -> Instance:
    """Comparators that change sides at every deletion (against olu Theorem 3); D = L = 1.

    On K = [0, 1], f_t = z or 1 - z: n losses of slope +1, k - 1 blocks of 2n of alternating slopes
    -1, +1, ..., n of the sign opposite to the last block's, and z/2.  tau_i are the ends of the
    first k blocks.  There the slopes so far add up to +-n (quadratic growth 2n on [0, 1], so the
    theorem's hypothesis holds with kappa = 1); in all they add up to 1/2, and the deleted losses
    alternate in sign, so that z_i* sits at the minimiser of the block that follows.
    """
    half = validation.count("n", n, low=2)
    number = validation.count("k", k, low=1, high=2 * half)
    lengths = np.array([half, *[2 * half] * (number - 1), half])
    signs = np.resize([1.0, -1.0], number + 1)
    slopes = np.append(np.repeat(signs, lengths), 0.5)
    offsets = np.where(slopes < 0, 1.0, 0.0)
    ends = np.cumsum(lengths[:number])
    i = np.arange(1, number + 1)
    # Odd requests take losses of the first block (slope +1), even ones of the second (slope -1).
    u = np.where(i % 2 == 1, (i + 1) // 2, half + i // 2)
    return Instance(
        Linear(slopes, offsets, domains.Box(0.0, 1.0)), DeletionSchedule(u, ends), np.array([0.5])
    )


@typed
def alternating_hinges(
    k: int,
    *,
    block: int | None = None,
    lipschitz: float = 1.0,
    diameter: float = 1.0,
    width: float = 0.1,
) -> Instance:
    """Smooth nonnegative hinges L h(z) and L h(D - z) in turn on [0, D] (against olu Theorem 4).

    h is 0 below 0, z^2/(2 width) up to `width`, then z - width/2: beta = L/width.  First
    ceil(beta^2 D^2/(4 L^2)) pairs, which make p(u_0) large enough for the theorem and are never
    deleted; then k + 1 blocks of `block` (None: 2k) losses each, of one side in turn, with a
    deletion, of a loss of its own side, at the end of each of the first k; at last losses that
    even the sides out, and half a loss L h(z)/2.  So z_0* is near 0 and, as each deletion tips the
    sum over, every z_i* near the minimiser of the block that follows.
    """
    number = validation.count("k", k, low=1)
    length = 2 * number if block is None else validation.count("block", block, low=1)
    if not length >= 2:
        raise ValueError(f"block must be >= 2, got {length}")
    L = validation.scalar("lipschitz", lipschitz, low=0.0, low_open=True, high_open=True)
    D = validation.scalar("diameter", diameter, low=0.0, low_open=True, high_open=True)
    delta = validation.scalar("width", width, low=0.0, low_open=True, high_open=True)
    if not delta <= D:
        raise ValueError(
            f"width must be at most diameter = {validation.shortest(D)}, "
            f"got {validation.shortest(delta)}"
        )
    # At most a million pairs below.
    if not D / delta <= 2e3:
        raise ValueError(f"width must be at least diameter/2000 = {D / 2e3:g}, got {delta:g}")
    # beta = L/width, so that beta^2 D^2/(4 L^2) = (D/width)^2/4.
    pairs = int(np.ceil((D / delta) ** 2 / 4.0))
    warm = np.resize([1.0, -1.0], 2 * pairs)
    blocks = np.repeat(np.resize([1.0, -1.0], number + 1), length)
    sides = np.concatenate((warm, blocks))
    # With k even one block is without a counterpart: losses of the other side make up for it.
    surplus = int(sides.sum())
    sides = np.concatenate((sides, np.full(abs(surplus), -np.sign(surplus)), [1.0]))
    weights = np.full(len(sides), L)
    weights[-1] = L / 2.0
    # Side +1 pays L h(z): 1 - score = z.  Side -1 pays L h(D - z): 1 - score = D - z.
    rows = -sides[:, None]
    offsets = np.where(sides > 0, -1.0, D - 1.0)
    stream = Rows(SmoothedHinge(width=delta), rows, offsets, weights, domains.Box(0.0, D))
    ends = 2 * pairs + length * np.arange(1, number + 1)
    i = np.arange(1, number + 1)
    u = 2 * pairs + length * (i - 1) + 1
    return Instance(stream, DeletionSchedule(u, ends), np.array([0.0]))


@typed
def one_slope(rounds: int, diameter: float, time: int, index: int = 1) -> Instance:
    """f_t = D - z on [0, D], from w_1 = 0, one deletion (against the step sizes of olu Theorem 5).

    Without noise a constant step eta has regret sum_t max(D - (t-1) eta, 0).
    """
    T = validation.count("rounds", rounds, low=2)
    D = validation.scalar("diameter", diameter, low=0.0, low_open=True, high_open=True)
    last = validation.count("time", time, low=1, high=T + 1)
    deleted = validation.count("index", index, low=1, high=last)
    request = DeletionSchedule(np.array([deleted]), np.array([last]))
    return Instance(Linear(np.full(T, -1.0), D, domains.Box(0.0, D)), request, np.array([0.0]))


@typed
def huber_well(rounds: int, step: float) -> Rows:
    """f = z^2/(2 eta) for |z| <= eta, |z| - eta/2 beyond, on the line, every round.

    One noise xi added at 0 costs sum_t f(w_t) = xi^2/(2 eta) under the constant step eta, as soon
    as |xi|/eta rounds follow: the noise term E|xi|^2/(2 eta) of every regret bound is attained.
    """
    T = validation.count("rounds", rounds, low=1)
    eta = validation.scalar("step", step, low=0.0, low_open=True, high_open=True)
    return Rows(Huber(threshold=eta), np.ones((T, 1)), 0.0, 1.0 / eta)
