"""Mini-Unlearning: the last k steps of the recursion (mini eq 10), and the paper's printed forms.

The right form is Horner's: v <- G(l) + H(l) v for l = T-k+1..T, with exact Hessian-vector products
and O(p) memory.  The printed forms are negative controls: each is wrong on the smallest example.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise

import numpy as np
import torch

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.trajectory.inputs import mask_of
from simulators.trajectory.model import Model, Tangent
from simulators.trajectory.recursion import Recursion, differences
from simulators.trajectory.training import Training

Action = Callable[[torch.Tensor], torch.Tensor]


@typed
def mini(model: Model, training: Training, forget: Iterable[int], k: int) -> np.ndarray:
    """Return w_T + v, v the sum of the last k steps (mini eq 10), shape (p,).

    On quadratics it equals `rewind` by k steps.  Raises ValueError for k outside [0, T].
    """
    count = validation.count("k", k, low=0, high=training.length)
    chosen = Recursion("kept", "mean", last=count)
    recursion = differences(model, training, [forget], chosen)
    point: np.ndarray = recursion.learned + recursion.vectors[0]
    return point


def pieces(
    model: Model, training: Training, forget: Iterable[int], first: int, *, printed: bool = False
) -> Iterator[tuple[int, torch.Tensor, torch.Tensor, Action]]:
    """(l, w_l, G(l), v -> H(l) v) for l = first..T, as in mini eqs 7-8 (1-based steps).

    printed: G with the sign of mini eq 6 as printed.  A batch of which nothing is kept has
    G = eta (mean gradient) and H = I.
    """
    mask = mask_of("forget", forget, model.size)
    injected: torch.Tensor | None = None
    action: Action | None = None
    for t, w, tangent in training.walk(model):
        # The pieces of step l come out with w_l, where it leads: one iteration later.
        if injected is not None and action is not None:
            yield t, w, injected, action
        if t == training.length:
            return
        if t + 1 < first:
            continue
        rows, eta = training.batches[t], float(training.steps[t])
        b, lost = len(rows), int(mask[rows].sum())
        weights = model.tensor(~mask[rows])
        of_kept, of_lost = tangent.gradient(weights), tangent.gradient(1.0 - weights)
        mean = of_kept / (b - lost) if lost < b else torch.zeros_like(of_kept)
        # The learned step less the retrained one, both from w_{l-1}.
        injected = eta / b * (of_kept + of_lost) - eta * mean
        if printed:
            injected = -(eta / b) * (lost * mean + of_lost)
        if lost == b:
            action = torch.clone
            continue
        inner = model.tangent(w, rows[~mask[rows]])
        action = partial(_contracted, inner, eta / (b - lost))


def _contracted(tangent: Tangent, rate: float, v: torch.Tensor) -> torch.Tensor:
    """(I - rate sum_i H_i) v."""
    line = v[None, :].clone()
    tangent.contract_(line, rate)
    return line[0]


@typed
def printed_sign(model: Model, training: Training, forget: Iterable[int], k: int) -> np.ndarray:
    """w_T + v with the sign of mini eq 6 as printed: worse than doing nothing."""
    count = validation.count("k", k, low=1, high=training.length)
    begin = training.length - count + 1
    v = model.full(model.parameters, 0.0)
    steps = list(pieces(model, training, forget, begin, printed=True))
    for _, _, injected, action in steps:
        v = injected + action(v)
    return (steps[-1][1] + v).cpu().numpy()


@typed
def printed_algorithm_1(
    model: Model, training: Training, forget: Iterable[int], k: int
) -> np.ndarray:
    """w_T + v by Algorithm 1 as printed, its counter n set once, 2 <= k < T.

    sum_{r=1}^{k-2} [H(T-k+r-1) ... H(T-k)] G(T-k+r+1) + G(T-1): the earliest Hessians, the newest
    gradients hit by the most of them, one term missing and G(T) never used.
    """
    count = validation.count("k", k, low=2, high=training.length - 1)
    begin = training.length - count
    steps = list(pieces(model, training, forget, begin))
    v = steps[count - 1][2].clone()
    for r in range(1, count - 1):
        term = steps[r + 1][2]
        for _, _, _, action in steps[:r]:
            term = action(term)
        v += term
    return (steps[-1][1] + v).cpu().numpy()


@typed
def printed_algorithm_3(
    model: Model, training: Training, forget: Iterable[int], k: int
) -> np.ndarray:
    """w_T + v with the Hessians of Algorithm 3 as printed, each one step too early, k < T."""
    count = validation.count("k", k, low=1, high=training.length - 1)
    begin = training.length - count
    v = model.full(model.parameters, 0.0)
    steps = list(pieces(model, training, forget, begin))
    for (_, _, _, early), (_, _, injected, _) in pairwise(steps):
        v = injected + early(v)
    return (steps[-1][1] + v).cpu().numpy()
