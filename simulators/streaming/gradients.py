"""The retention gradient at the frozen w_0, from the forgotten rows alone (safe, eq 15).

G_t = grad R_t^ret(w_0) is the mean over D_t of grad l(w_0; i).  Valid at w_0 only: at a point that
moves, the kept rows' gradients would be needed.
"""

from __future__ import annotations

import torch


def retention_step(
    gradient: torch.Tensor, before: torch.Tensor, removed_sum: torch.Tensor, removed: torch.Tensor
) -> torch.Tensor:
    """G_t = (n_{t-1} G_{t-1} - sum over F_t of grad l(w_0))/(n_{t-1} - m_t) (safe, eq 15).

    gradient, removed_sum: (trials, *shape); before, removed: n_{t-1} and m_t, (trials,).
    Raises ValueError unless some row stays in every trial.
    """
    after = _positive(before - removed)
    total = _over(before, gradient) * gradient - removed_sum
    return total / _over(after, gradient)


def retention_closed(
    start: torch.Tensor, size: torch.Tensor, removed_sum: torch.Tensor, removed: torch.Tensor
) -> torch.Tensor:
    """G_t = (n_0 G_0 - sum over F_1..F_t of grad l(w_0))/n_t: eq 15 unrolled.

    At a trained minimiser, G_0 = 0, this is minus the forgotten rows' gradient sum over n_t.
    Shapes and errors as `retention_step`, with n_0 and M_t.
    """
    return retention_step(start, size, removed_sum, removed)


def _positive(after: torch.Tensor) -> torch.Tensor:
    if not bool((after > 0).all()):
        raise ValueError(f"n_t must be >= 1 in every trial, got {float(after.min()):g}")
    return after


def _over(numbers: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    return numbers.view(-1, *[1] * (like.dim() - 1))
