"""What the objects of a training with torch or Opacus say of it: the one reader of them all.

Plans, histories, records and `lint` read here.  Classes are known by their names, so that neither
library is imported to ask.  What an object does not know is None, or nothing; whoever asks decides
whether that is refused or `unknown`.
"""

from typing import Any

_PLAIN = {"momentum": 0, "dampening": 0, "nesterov": False, "maximize": False}
_ONE_NORM = ("DPOptimizer", "DPOptimizerFastGradientClipping")  # every row, to one norm
_SAMPLERS = {"RandomSampler": "shuffled", "SequentialSampler": "cyclic"}


def step_counts(engine: Any) -> list[tuple[float, float, int]]:
    """(noise multiplier, sampling rate, steps) of a PrivacyEngine or an accountant, in order.

    Raises ValueError for what is neither, and before the first step.
    """
    # An engine has an accountant; what is no engine may be one itself.
    history = getattr(getattr(engine, "accountant", engine), "history", None)
    if not isinstance(history, list):
        raise ValueError(f"engine must be a PrivacyEngine or an accountant, got {engine!r}")
    if not history:
        raise ValueError("engine must have made a step, got an empty history")
    return [(float(noise), float(rate), int(count)) for noise, rate, count in history]


def row_count(engine: Any) -> int | None:
    """n, of the data that an engine was made with."""
    dataset = getattr(engine, "dataset", None)
    return None if dataset is None else len(dataset)


def sampling(loader: Any) -> str | None:
    """How batches are drawn: "poisson", "shuffled" or "cyclic"."""
    if type(loader).__name__ == "DPDataLoader":
        return "poisson"
    return _SAMPLERS.get(type(getattr(loader, "sampler", None)).__name__)


def plain_optimizer(optimizer: Any) -> Any:
    """The optimizer of torch inside one of Opacus; itself, if it is one of torch."""
    return getattr(optimizer, "original_optimizer", optimizer)


def update_fault(optimizer: Any) -> str | None:
    """Why an update is not x <- x - lr (gradient + weight_decay x), of one group; None if it is."""
    inner = plain_optimizer(optimizer)
    name, only = type(inner).__name__, "only torch.optim.SGD without"
    if name != "SGD":
        return f"optimizer is {name}: {only} momentum is covered"
    if len(inner.param_groups) != 1:
        return (
            f"optimizer has {len(inner.param_groups)} parameter groups: one learning rate and one "
            "weight_decay are covered"
        )
    (group,) = inner.param_groups
    for field, plain in _PLAIN.items():
        value = group.get(field, plain)
        if value != plain:
            return f"optimizer has {field} {value!r}: {only} {field} is covered"
    # Momentum is 0 now, but a buffer shows that earlier steps had some.
    if any(state.get("momentum_buffer") is not None for state in inner.state.values()):
        return f"optimizer has the buffer of an earlier momentum: {only} momentum is covered"
    return None


def clip_fault(optimizer: Any) -> str | None:
    """Why a DPOptimizer does not clip the gradient of every row to one norm; None if it does."""
    kind = type(optimizer).__name__
    if kind not in _ONE_NORM or not isinstance(optimizer.max_grad_norm, float | int):
        return (
            f"optimizer is {kind}: only a {_ONE_NORM[0]} of one process that clips the whole "
            'gradient of a row to one fixed norm (clipping="flat") is covered'
        )
    if getattr(optimizer, "normalize_clipping", False):
        return "optimizer has normalize_clipping True: only gradients that are clipped are covered"
    return None


def clip_norms(optimizer: Any) -> list[float]:
    """The norms to which groups of weights are clipped; one for the whole gradient, or none."""
    groups = [float(norm) for norm in getattr(optimizer, "max_grad_norms", None) or ()]
    if groups:
        return groups
    return [float(optimizer.max_grad_norm)] if clip_fault(optimizer) is None else []


def accumulated(optimizer: Any) -> int:
    """How many batches the next step takes the gradients of."""
    groups = plain_optimizer(optimizer).param_groups
    samples = [getattr(w, "grad_sample", None) for group in groups for w in group["params"]]
    # Opacus keeps a list with one entry for every batch that no step has followed yet.
    return max((len(each) for each in samples if isinstance(each, list)), default=1)


def sum_divisor(optimizer: Any) -> float | None:
    """What divides the noisy sum: the batch size that Opacus expects, not the one it has drawn."""
    if getattr(optimizer, "loss_reduction", None) == "sum":
        return 1.0
    size = getattr(optimizer, "expected_batch_size", None)
    return float(size) * accumulated(optimizer) if size else None


def layers_of(model: Any, kind: str) -> list[str]:
    """The layers with a base class of this name, by the names of their own classes."""
    return [
        type(module).__name__
        for module in model.modules()
        if any(base.__name__ == kind for base in type(module).__mro__)
    ]


def tracking_layers(model: Any) -> list[str]:
    """Layers that keep running statistics of rows, by name."""
    modules = [each for each in model.modules() if getattr(each, "track_running_stats", False)]
    return [type(module).__name__ for module in modules]


def mixing_layers(model: Any) -> list[str]:
    """Layers that let a row's gradient depend on others, or keep something of rows, by name."""
    return sorted({*layers_of(model, "_BatchNorm"), *tracking_layers(model)})


def trained_layers(model: Any) -> list[Any]:
    """Modules that have weights of their own, of which one at least is trained."""
    return [
        module
        for module in model.modules()
        if any(weights.requires_grad for weights in module.parameters(recurse=False))
    ]
