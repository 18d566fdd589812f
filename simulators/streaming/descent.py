"""Gradient steps on the retention risks of several trials, in place: two products a step."""

from __future__ import annotations

import torch

from simulators.losses.linear_model import LinearModel
from simulators.losses.softmax import Softmax
from simulators.streaming.risk import Risk

LARGE = 600.0
"""Scores whose exponentials, and sums of many of them, neither overflow nor vanish."""


def descend(
    risk: Risk, points: torch.Tensor, weights: torch.Tensor, eta: float, steps: int
) -> torch.Tensor:
    """Points (trials, *shape) after so many steps of size eta; weights (trials, n) add up to 1.

    The trials stay side by side through all steps: u <- (1 - eta mu) u - eta X^T (pull x weights).
    Of a softmax the pull is p less the indicator of the label, whose part is the same at every
    step; p is made of planes (n, trials), since sums over a short last axis cost far more.
    """
    trials, d, outputs = len(points), risk.shape[0], risk.outputs
    state = points.reshape(trials, d, outputs).permute(1, 2, 0).reshape(d, -1).contiguous()
    rows, share, loss = risk.rows, weights.T.contiguous(), risk.loss
    scores = state.new_empty((len(rows), outputs * trials))
    planes = scores.view(len(rows), outputs, trials)
    # The weights add up to 1, so that a step shrinks u by eta mu whatever is kept.
    decay, fixed = 1.0 - eta * risk.strong_convexity, None
    if isinstance(loss, Softmax):
        assert risk.target is not None
        fixed = torch.mm(rows.T, (risk.target[:, :, None] * share[:, None]).view(scores.shape))
        careful = not _farthest(risk, points, eta, steps) <= LARGE
    for _ in range(steps):
        torch.mm(rows, state, out=scores)
        if fixed is not None:
            # Larger exponentials may overflow; those of differences from the largest score do not.
            if careful:
                planes.sub_(planes.amax(dim=1, keepdim=True))
            # `planes` is a view of `scores`: both change.
            scores.exp_()
            planes.mul_(torch.div(share, planes.sum(dim=1))[:, None])
        elif isinstance(loss, LinearModel):
            if risk.target is not None:
                scores.sub_(risk.target)
            loss.slope_(scores).mul_(share)
        state.addmm_(rows.T, scores, beta=decay, alpha=-eta)
        if fixed is not None:
            state.add_(fixed, alpha=eta)
    return state.view(d, outputs, trials).permute(2, 0, 1).reshape(points.shape)


def _farthest(risk: Risk, points: torch.Tensor, eta: float, steps: int) -> float:
    """A bound on every score on the way: a step takes |u| to at most |1 - eta mu||u| + eta L."""
    radius = float(torch.linalg.vector_norm(points.reshape(len(points), -1), dim=1).max())
    turned, shift = abs(1.0 - eta * risk.strong_convexity), eta * risk.lipschitz
    # Steps shrink |u| to where they end, or grow it towards there.
    end = radius if turned >= 1.0 else max(radius, shift / (1.0 - turned))
    longest = float(torch.linalg.vector_norm(risk.rows, dim=1).max())
    return longest * (radius + steps * shift if turned >= 1.0 else end)
