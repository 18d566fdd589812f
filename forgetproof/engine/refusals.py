"""What the guarantee does not cover is refused, by its name, before anything changes."""

from typing import Any

import torch

from forgetproof.training_objects import (
    layers_of,
    plain_optimizer,
    tracking_layers,
    update_fault,
)

# Each keeps something of rows beside the weights, or lets the gradient of one depend on others.
_LAYERS = {
    "_BatchNorm": "mixes the rows of a batch",
    "_InstanceNorm": "may keep running statistics of rows",
    "_DropoutNd": "draws a mask of its own, which no record has",
}
_PRECISE = (torch.float32, torch.float64)


class EngineRefusal(ValueError):
    """What the guarantee does not cover: refused in one line, before anything changes."""


def insist_on_model(model: Any) -> None:
    """Raises EngineRefusal for a layer that mixes rows or keeps them, and for low precision."""
    reasons = {layer: why for kind, why in _LAYERS.items() for layer in layers_of(model, kind)}
    for layer in tracking_layers(model):
        reasons.setdefault(layer, "keeps running statistics of rows")
    if reasons:
        layer, why = next(iter(reasons.items()))
        raise EngineRefusal(f"model must have no {layer}, which {why}")
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
    if (fault := update_fault(optimizer)) is not None:
        raise EngineRefusal(fault)
    (group,) = plain_optimizer(optimizer).param_groups
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
