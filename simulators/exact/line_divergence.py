"""Renyi and hockey-stick divergences of two laws on the line, by quadrature in logarithms."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from accounting.numerics.root import bracketed_root
from simulators.exact.line import LineLaw
from simulators.exact.powers import renyi_of_logs
from simulators.exact.quadrature import graded_panels, panels

Array = NDArray[np.float64]
# Standard deviations beyond which a Gaussian, e^-800 of its peak, is left out.
_REACH = 40.0
# Panels of 20 nodes at most: 400,000 nodes, each met by every component of both laws.
_PANELS = 20_000


def _check(p: LineLaw, q: LineLaw) -> None:
    if p.radius != q.radius:
        raise ValueError(f"p and q must share a radius, got {p.radius} and {q.radius}")


def _edges(p: LineLaw, q: LineLaw, low: float, high: float) -> Array:
    low, high = max(low, -p.radius), min(high, p.radius)
    # No panel is longer than the narrowest scale, so that 20 nodes resolve what is in it.
    width = min(float(p.scales.min()), float(q.scales.min()))
    pieces = math.ceil((high - low) / width) if high > low else 1
    if not pieces <= _PANELS:
        raise ValueError(f"scales must be >= range/{_PANELS}, got {width} for range {high - low}")
    return np.linspace(low, max(high, low), pieces + 1)


def _total(logs: Array) -> float:
    return float(logsumexp(logs)) if logs.size and np.max(logs) > -math.inf else -math.inf


@typed
def renyi(p: LineLaw, q: LineLaw, alpha: float) -> float:
    """D_alpha(p || q), alpha >= 1, atoms included; inf where it is infinite (sglu Def. 2.1).

    Relative accuracy about 1e-11 of exp((alpha - 1) D) for laws of smooth scale.
    """
    _check(p, q)
    order = validation.scalar("alpha", alpha, low=1.0, high_open=True)
    interval = _support(p, q, order)
    if interval is None:
        return math.inf
    points, weights = panels(_edges(p, q, *interval), 20)
    with np.errstate(divide="ignore"):
        lengths = np.log(weights)
    values = np.concatenate((p.log_density(points), p.log_atoms()))
    others = np.concatenate((q.log_density(points), q.log_atoms()))
    masses = values + np.concatenate((lengths, np.zeros(len(values) - len(lengths))))
    # A law far beyond an end has no mass inside, nor at the other end.
    present = masses > -math.inf
    return renyi_of_logs(masses[present], values[present] - others[present], order)


def _support(p: LineLaw, q: LineLaw, order: float) -> tuple[float, float] | None:
    """Ends beyond which p^order q^(1-order) is negligible; None where its integral is infinite."""
    widest = float(q.scales.max())
    tails = q.means[q.scales == widest]
    precision = order / p.scales**2 + (1 - order) / widest**2
    if (precision > 0).all():
        # q is bounded below by its widest component, the heaviest of several; p_i^alpha
        # q_heavy^(1-alpha) is Gaussian and dominates the integrand up to a constant.
        heavy = int(np.argmax(np.where(q.scales == widest, q.weights, 0.0)))
        pull = order * p.means / p.scales**2 + (1 - order) * q.means[heavy] / widest**2
        centre = pull / precision
        margin = _REACH / np.sqrt(precision)
        return float((centre - margin).min()), float((centre + margin).max())
    if p.radius < math.inf:
        return -p.radius, p.radius
    # Below 0, p_i^alpha q^(1-alpha) grows in both tails.
    if (precision < 0).any():
        return None
    # At 0 it is exponential there: it falls on the right by (alpha - 1)(max m_q - m_i)/widest^2 a
    # unit of length, where the rightmost of the widest components leads, likewise on the left.
    flat = p.means[precision == 0]
    rates = (order - 1) * np.stack((flat - tails.min(), tails.max() - flat)) / widest**2
    if not (rates > 0).all():
        return None
    margin = _REACH**2 / 2 / rates.min() + _REACH * max(float(p.scales.max()), widest)
    means = np.concatenate((p.means, q.means))
    return float(means.min() - margin), float(means.max() + margin)


def _crossings(p: LineLaw, q: LineLaw, epsilon: float, edges: Array) -> Array:
    """Zeros of log p/q - epsilon inside the edges, to features of a twentieth of the scale."""

    def excess(x: float) -> float:
        return float(p.log_density(x) - q.log_density(x)) - epsilon

    # Signs are read at the quadrature's nodes: two crossings between neighbours go unseen.
    points = np.concatenate((edges[:1], panels(edges, 20)[0], edges[-1:]))
    sign = np.sign(p.log_density(points) - q.log_density(points) - epsilon)
    change = np.flatnonzero(sign[:-1] * sign[1:] < 0)
    ends = [(float(points[i]), float(points[i + 1])) for i in change]
    roots = [bracketed_root(excess, *pair, absolute=1e-15, relative=1e-15) for pair in ends]
    return np.sort(np.concatenate((roots, points[sign == 0])))


@typed
def log_hockey_stick(p: LineLaw, q: LineLaw, epsilon: float) -> float:
    """log of sup_A P(A) - e^epsilon Q(A), atoms included; -inf where it is 0.

    Integrates the positive part between the crossings of p and e^epsilon q, so nothing cancels.
    """
    _check(p, q)
    eps = validation.scalar("epsilon", epsilon, low_open=True, high_open=True)
    low = float((p.means - _REACH * p.scales).min())
    high = float((p.means + _REACH * p.scales).max())
    edges = _edges(p, q, low, high)
    ends = np.concatenate((edges[:1], _crossings(p, q, eps, edges), edges[-1:]))
    width = min(float(p.scales.min()), float(q.scales.min()))
    terms = []
    for a, b in pairwise(ends):
        middle = (a + b) / 2
        if b > a and float(p.log_density(middle) - q.log_density(middle)) > eps:
            points, weights, _ = graded_panels(a, b, longest=width, levels=6)
            terms.append((points, weights))
    # One term of no mass, for laws whose density is nowhere above e^epsilon q.
    logs = [np.array([-math.inf])]
    with np.errstate(divide="ignore"):
        for points, weights in terms:
            density = p.log_density(points)
            gain = np.maximum(density - q.log_density(points) - eps, 0.0)
            logs.append(density + np.log(-np.expm1(-gain)) + np.log(weights))
        # An atom meets the atom of the other law at the same end, never its density.
        atoms, others = p.log_atoms(), q.log_atoms()
        gain = np.maximum(atoms - others - eps, 0.0)
        logs.append(atoms + np.log(-np.expm1(-gain)))
    return _total(np.concatenate(logs))


@typed
def hockey_stick(p: LineLaw, q: LineLaw, epsilon: float) -> float:
    """delta(epsilon) = sup_A P(A) - e^epsilon Q(A); see `log_hockey_stick`."""
    return math.exp(log_hockey_stick(p, q, epsilon))


@typed
def total_variation(p: LineLaw, q: LineLaw) -> float:
    """sup_A |P(A) - Q(A)|, the hockey-stick divergence at epsilon = 0."""
    return hockey_stick(p, q, 0.0)
