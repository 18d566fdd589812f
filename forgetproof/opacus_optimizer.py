"""What a DPOptimizer of Opacus does in a step, read from it; what is not covered is refused.

Covered is plain SGD: x <- x - lr (sum of clipped gradients + noise)/divisor - lr weight_decay x,
one group of parameters, every row clipped to one norm.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accounting.numerics import validation

_CLIPPED = ("DPOptimizer", "DPOptimizerFastGradientClipping")  # every row, to one norm
_PLAIN = {"momentum": 0, "dampening": 0, "nesterov": False, "maximize": False}


def step_of(
    optimizer: Any, *, steps: int, step_sizes: Sequence[float] | None = None, model: Any = None
) -> dict[str, Any]:
    """Return clip, step_size, weight_decay, divisor and dimension as the optimizer has them.

    steps: of the training.  step_sizes: one learning rate for each, where it changed.  model: to
    see that no layer mixes rows.  Raises ValueError naming what is not covered.
    """
    clip = getattr(optimizer, "max_grad_norm", None)
    if not isinstance(clip, float | int):
        raise ValueError(f"optimizer must clip every row to one norm, got {clip!r}")
    kind = type(optimizer).__name__
    if kind not in _CLIPPED:
        raise ValueError(
            f"optimizer must be a {_CLIPPED[0]} of one process and one fixed norm, got {kind}"
        )
    if getattr(optimizer, "normalize_clipping", False):
        raise ValueError(
            "optimizer must clip gradients, not normalise them, got normalize_clipping"
        )
    group = _group(optimizer)
    if model is not None:
        _insist_on_rows(model)
    weights: list[Any] = list(group["params"])
    # Opacus keeps a list with one entry for every batch that no step has followed yet.
    if any(len(getattr(p, "grad_sample", None) or ()) > 1 for p in weights if _listed(p)):
        raise ValueError("optimizer must step after every batch, got accumulated gradients")
    mean = optimizer.loss_reduction == "mean"
    # The divisor is the batch size that Opacus expects, not the one that was drawn.
    return {
        "clip": float(clip),
        "step_size": _step_size(optimizer, group, steps, step_sizes),
        "weight_decay": float(group.get("weight_decay", 0.0)),
        "divisor": float(optimizer.expected_batch_size) if mean else 1.0,
        "dimension": sum(int(p.numel()) for p in weights if p.requires_grad),
    }


def _listed(parameter: Any) -> bool:
    return isinstance(getattr(parameter, "grad_sample", None), list)


def _group(optimizer: Any) -> Mapping[str, Any]:
    """The only group of parameters, of plain SGD."""
    inner = getattr(optimizer, "original_optimizer", optimizer)
    name = type(inner).__name__
    if name != "SGD":
        raise ValueError(
            f"optimizer must be SGD, got {name}: what it keeps of earlier gradients is not covered"
        )
    groups = inner.param_groups
    if len(groups) != 1:
        raise ValueError(f"optimizer must have one group of parameters, got {len(groups)}")
    (group,) = groups
    for name, plain in _PLAIN.items():
        value = group.get(name, plain)
        if value != plain:
            raise ValueError(f"optimizer must have no {name}, got {name} = {value!r}")
    # Momentum is 0 now, but a buffer shows that earlier steps had some.
    if any(state.get("momentum_buffer") is not None for state in inner.state.values()):
        raise ValueError("optimizer must have no momentum, got what an earlier momentum has left")
    return dict(group)


def _step_size(
    optimizer: Any, group: Mapping[str, Any], steps: int, recorded: Sequence[float] | None
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


def _insist_on_rows(model: Any) -> None:
    """No layer that lets one row's gradient depend on others."""
    for module in model.modules():
        # By name: torch need not be imported, and subclasses are found by their bases.
        mixes = any(base.__name__ == "_BatchNorm" for base in type(module).__mro__)
        if mixes or getattr(module, "track_running_stats", False):
            raise ValueError(
                f"model must have no layer that mixes rows, got {type(module).__name__}"
            )
