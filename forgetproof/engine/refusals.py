"""What the guarantee does not cover is refused, by its name, before anything changes."""

from typing import Any

import torch
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.dropout import _DropoutNd
from torch.nn.modules.instancenorm import _InstanceNorm

# Each keeps something of rows beside the weights, or lets the gradient of one depend on others.
_LAYERS = {
    _BatchNorm: "mixes the rows of a batch",
    _InstanceNorm: "may keep running statistics of rows",
    _DropoutNd: "draws a mask of its own, which no record has",
}
_PLAIN = {"momentum": 0, "dampening": 0, "nesterov": False, "maximize": False}
_PRECISE = (torch.float32, torch.float64)


class EngineRefusal(ValueError):
    """What the guarantee does not cover: refused in one line, before anything changes."""


def insist_on_model(model: Any) -> None:
    """Raises EngineRefusal for a layer that mixes rows or keeps them, and for low precision."""
    for module in model.modules():
        reasons = [why for layer, why in _LAYERS.items() if isinstance(module, layer)]
        if getattr(module, "track_running_stats", False):
            reasons.append("keeps running statistics of rows")
        if reasons:
            raise EngineRefusal(f"model must have no {type(module).__name__}, which {reasons[0]}")
    for name, weights in model.named_parameters():
        insist_on_precision(name, weights)


def insist_on_precision(name: str, tensor: Any) -> None:
    """Raises EngineRefusal for numbers that are no float32 or float64."""
    if tensor.dtype not in _PRECISE:
        kind = str(tensor.dtype).removeprefix("torch.")
        raise EngineRefusal(
            f"{name} must be float32 or float64, got {kind}: clip, sum and noise would be rounded "
            "more coarsely than the account takes them"
        )


def insist_on_optimizer(optimizer: Any, step_size: float, decay: float) -> None:
    """Raises EngineRefusal for all but plain SGD with step size and decay of the settings."""
    inner = getattr(optimizer, "original_optimizer", optimizer)
    name = type(inner).__name__
    if name != "SGD":
        raise EngineRefusal(
            f"optimizer must be SGD, got {name}: what it keeps of earlier gradients, or scales by "
            "them, is not covered"
        )
    if len(inner.param_groups) != 1:
        raise EngineRefusal(
            f"optimizer must have one group of parameters, got {len(inner.param_groups)}"
        )
    (group,) = inner.param_groups
    for field, plain in _PLAIN.items():
        value = group.get(field, plain)
        if value != plain:
            raise EngineRefusal(f"optimizer must have no {field}, got {field} = {value!r}")
    insist_on_rate(group, step_size, decay)


def insist_on_rate(group: Any, step_size: float, decay: float) -> None:
    """Raises EngineRefusal where a scheduler, or a caller, changed what the settings have fixed."""
    for field, wanted in (("lr", step_size), ("weight_decay", decay)):
        value = float(group.get(field, 0.0))
        if value != wanted:
            raise EngineRefusal(
                f"optimizer must keep {field} = {wanted:g} of the settings, got {value:g}: "
                "schedules that the settings do not have are not covered"
            )


def insist_on_no_autocast() -> None:
    """Raises EngineRefusal inside torch.autocast, on any device."""
    kinds = {"cpu", torch.get_default_device().type}
    kinds |= {"cuda"} if torch.cuda.is_available() else set()
    if any(torch.is_autocast_enabled(kind) for kind in sorted(kinds)):
        raise EngineRefusal(
            "autocast must be off: clip, sum and noise need full precision, got it on"
        )
