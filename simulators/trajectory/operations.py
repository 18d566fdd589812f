"""Exact operation counts of every way to follow the recursion, and a counter to compare them with.

A product of (a, c) with (c, e) counts 2ace operations; sums and element-wise work are of lower
order and not counted.  hf Table 1 states O(nd) for the statistics of all n samples; each of them
costs what one training costs, 4 sum_t b_t p, so all of them cost n trainings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch.utils._python_dispatch import TorchDispatchMode

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.trajectory.linear_score import LinearScore
from simulators.trajectory.model import Model
from simulators.trajectory.softmax_score import SoftmaxScore
from simulators.trajectory.training import Training

VARIANTS = ("products", "explicit", "gram")


@dataclass(frozen=True)
class Operations:
    """Matrix-product operations, and bytes of what must be held beside the data."""

    flops: int
    state_bytes: int


@typed
def training_run(model: Model, training: Training) -> Operations:
    """One run of SGD: scores and gradient, 2bp each a step."""
    return Operations(4 * _visited(training) * model.parameters, 8 * model.parameters)


@typed
def products(model: Model, training: Training, lines: int) -> Operations:
    """All lines by two products with the batch: 4bp a line and step (hf section (a), A2)."""
    count = validation.count("lines", lines, low=1)
    p = model.parameters
    return Operations(4 * _visited(training) * p * (1 + count), 8 * count * p)


@typed
def one_by_one(model: Model, training: Training, lines: int) -> Operations:
    """The paper's loop: as `products`, by products with vectors, along stored iterates."""
    count = validation.count("lines", lines, low=1)
    stored = 8 * (training.length + 1) * model.parameters
    return Operations(products(model, training, count).flops, 8 * count * model.parameters + stored)


@typed
def explicit(model: Model, training: Training, lines: int) -> Operations:
    """All lines by one product with each step's Hessian: 2p^2 a line, and the Hessian itself."""
    count = validation.count("lines", lines, low=1)
    p, classes = model.parameters, model.scores
    if isinstance(model, LinearScore | SoftmaxScore):
        # classes (classes + 1)/2 blocks of 2 b d^2 each; the other blocks are their mirror images.
        d = p // classes
        hessian = classes * (classes + 1) * _visited(training) * d * d
    else:
        hessian = 4 * _visited(training) * p * p  # p Hessian-vector products of at least 4bp
    moves = 2 * training.length * count * p * p
    return Operations(4 * _visited(training) * p + hessian + moves, 8 * (count * p + p * p))


@typed
def gram(model: LinearScore | SoftmaxScore, training: Training, lines: int) -> Operations:
    """All lines in the samples' coordinates: one product a step, and one with the rows at the end.

    With N = n + classes: 2N^2 d once, 2bN classes a line and step (and for training), and 2Np a
    line for its vector and for w_T.
    """
    count = validation.count("lines", lines, low=1)
    classes, p = model.scores, model.parameters
    span, d = model.size + classes, p // classes
    steps = 2 * _visited(training) * span * classes
    total = 2 * span * span * d + steps * (1 + count) + 2 * span * p * (1 + count)
    return Operations(total, 8 * (span * span + count * classes * span))


@typed
def adjoint(model: Model, training: Training, probes: int) -> Operations:
    """Scores of all samples against k probes with all iterates stored: see `adjoint.scores`.

    4bp forwards, 2bp to find each step's scores again, 4bp a probe, and 2p a probe and step for the
    regulariser.
    """
    k = validation.count("probes", probes, low=1)
    p = model.parameters
    total = _visited(training) * p * (6 + 4 * k) + 2 * training.length * k * p
    return Operations(total, 8 * (training.length * p + k * p + k * model.size))


@typed
def fastest(model: Model, training: Training, lines: int, *, started: bool = False) -> str:
    """The variant with the fewest operations; `started`: lines do not start from zero."""
    cost = {
        "products": products(model, training, lines).flops,
        "explicit": explicit(model, training, lines).flops,
    }
    # Given vectors need not lie in the span of the rows and w_0: no coefficients there.
    if isinstance(model, LinearScore | SoftmaxScore) and not started:
        cost["gram"] = gram(model, training, lines).flops
    return min(cost, key=lambda name: cost[name])


def _visited(training: Training) -> int:
    """sum_t b_t."""
    return sum(len(rows) for rows in training.batches)


class Counter(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Counts the operations of torch's matrix products inside its `with` block: `flops`."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.flops = 0

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Nothing is compiled here; to skip the compiler, torch would import it: .6 s."""
        return False

    def __torch_dispatch__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        operands = _FACTORS.get(str(getattr(func, "overloadpacket", func)))
        if operands is not None:
            lhs, right = (args[i] for i in operands)
            # The batch of a `bmm` is among the numbers of lhs; a vector on the right is one column.
            self.flops += 2 * lhs.numel() * (right.shape[-1] if right.dim() > 1 else 1)
        return func(*args, **(kwargs or {}))


# Where the two factors stand among the arguments: `addmm` and its kin begin with the summand.
_FACTORS = {
    f"aten.{name}": positions
    for name, positions in {
        "mm": (0, 1), "bmm": (0, 1), "mv": (0, 1), "dot": (0, 1),
        "addmm": (1, 2), "addmm_": (1, 2), "addmv": (1, 2), "addmv_": (1, 2), "baddbmm": (1, 2),
    }.items()
}  # fmt: skip
