"""What a DPOptimizer of Opacus does in a step, read from it; what is not covered is refused.

Covered is plain SGD: x <- x - lr (sum of clipped gradients + noise)/divisor - lr weight_decay x,
one group of parameters, every row clipped to one norm.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accounting.numerics import validation
from forgetproof.trained_layer import insist_on_score
from forgetproof.training_objects import (
    accumulated,
    clip_fault,
    plain_optimizer,
    sum_divisor,
    update_fault,
)


def step_of(
    optimizer: Any, *, steps: int, step_sizes: Sequence[float] | None = None, model: Any = None
) -> dict[str, Any]:
    """Return clip, step_size, weight_decay, divisor and dimension as the optimizer has them.

    steps: of the training.  step_sizes: one learning rate for each, where it changed.  model: to
    see that it is one linear score of each row.  Raises ValueError naming what is not covered.
    """
    if not hasattr(optimizer, "max_grad_norm"):
        raise ValueError(
            f"optimizer must be a DPOptimizer of Opacus, got {type(optimizer).__name__}"
        )
    if (fault := clip_fault(optimizer)) is not None:
        raise ValueError(fault)
    if (fault := update_fault(optimizer)) is not None:
        raise ValueError(f"{fault}; retrain, or train anew with SGD")
    if model is not None:
        insist_on_score(model, optimizer)
    if accumulated(optimizer) > 1:
        raise ValueError("optimizer must step after every batch, got accumulated gradients")
    (group,) = plain_optimizer(optimizer).param_groups
    return {
        "clip": float(optimizer.max_grad_norm),
        "step_size": _step_size(group, steps, step_sizes),
        "weight_decay": float(group.get("weight_decay", 0.0)),
        "divisor": sum_divisor(optimizer),
        "dimension": sum(int(p.numel()) for p in group["params"] if p.requires_grad),
    }


def _step_size(
    group: Mapping[str, Any], steps: int, recorded: Sequence[float] | None
) -> float | tuple[float, ...]:
    last = float(group["lr"])
    if recorded is not None:
        sizes = validation.real("step_sizes", recorded, low=0.0, low_open=True, high_open=True)
        if sizes.shape != (steps,):
            raise ValueError(
                f"step_sizes must be {steps} numbers, one for every step, got shape {sizes.shape}"
            )
        return tuple(np.asarray(sizes).tolist())
    # A scheduler leaves it in the group even where it has not changed the rate yet.
    first = group.get("initial_lr")  # where a scheduler of learning rates was made
    if first is not None:
        raise ValueError(
            f"step_sizes must be given where a scheduler changes the learning rate, got none for "
            f"an optimizer that began at {float(first):g} and is at {last:g}"
        )
    return last
