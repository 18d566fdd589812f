"""Descent on rows, in place: what most online runs are, in one pass over the states a round."""

from __future__ import annotations

import math

import torch

from simulators.domains import largest_norm
from simulators.online.rows import Rows
from simulators.online.streams import project_rows_

EXACT = 64
"""Rounds after which carried norms are found anew, so that rounding does not add up."""


class InPlace:
    """One run's states (points, d): w <- P[w - eta grad f_t(w)], P onto a ball or R^d.

    Their squared norms are carried along (`Rows.step_`), and a bound on all of them; they are
    looked at where the bound is beyond the ball, and found anew where one of them may be.
    """

    def __init__(self, stream: Rows, state: torch.Tensor) -> None:
        self.stream, self.state = stream, state
        self.radius = largest_norm(stream.domain, stream.dimension)
        self.decay = stream.loss.regularisation
        self.squares: torch.Tensor | None = None
        self.reach = math.inf

    def step(self, t: int, eta: float, *, valued: bool = False) -> torch.Tensor | None:
        """Move; the losses before it, if they are asked for."""
        if self.squares is None or t % EXACT == 0:
            self.squares = torch.einsum("nd,nd->n", self.state, self.state)
        value = self.stream.step_(t, self.state, self.squares, eta, valued=valued)
        # Triangle inequality: |w - eta grad| <= |1 - eta lambda| |w| + eta (data part's bound).
        self.reach = abs(1.0 - eta * self.decay) * self.reach + eta * self.stream.pushes[t - 1]
        # The margins of 1e-9 cover the rounding of carried norms; "not <=" takes NaN for outside.
        if not self.reach <= self.radius * (1 - 1e-9) and self.radius < math.inf:
            self.reach = math.sqrt(largest) if (largest := float(self.squares.max())) > 0 else 0.0
            if not largest <= self.radius * self.radius * (1 - 1e-9):
                project_rows_(self.stream.domain, self.state)
                # What was projected has other norms; the next step finds them.
                self.squares, self.reach = None, self.radius
        return value
