"""Live objects of other libraries as mechanisms: dp-accounting's events, and what Opacus keeps.

The objects are read as they are now; what they do not know stays `unknown`. Neither library is
imported before an object of its own is at hand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from accounting.mechanism import SCHEMA, UNKNOWN, Mechanism
from forgetproof.training_objects import (
    clip_fault,
    clip_norms,
    mixing_layers,
    plain_optimizer,
    row_count,
    sampling,
    step_counts,
    sum_divisor,
)

CHOSEN_SEED = 2**32
"""A generator of torch that was not seeded has a seed from the system, of 53 bits."""


def is_event(value: Any) -> bool:
    """Whether the value is a DpEvent of dp-accounting."""
    module = sys.modules.get("dp_accounting")
    return module is not None and isinstance(value, module.DpEvent)


def is_opacus(value: Any) -> bool:
    """Whether the value is a PrivacyEngine or an accountant of Opacus."""
    history = getattr(getattr(value, "accountant", value), "history", None)
    return isinstance(history, list)


def of_event(
    event: Any, *, relation: Any = None, n: int | None = None, claims: Iterable[Any] = ()
) -> Mechanism:
    """Return the mechanism that an event of dp-accounting stands for: every state is released.

    relation: dp-accounting's NeighboringRelation; add or remove one if None.  claims: as a
    mechanism document has them.  Raises ValueError for an event that is no training with Gaussian
    noise, and where the event does not count what the relation asks.
    """
    from forgetproof.interop import from_dp_event

    history = from_dp_event(event, relation=relation, n=n)
    steps = [
        _segment(
            each.steps,
            _batches(history.sampling, each.sampling_rate, history.n),
            # An event speaks of a sum whose rows move it by 1, and of nothing after it.
            clip={"norm": 1.0, "each": "row"},
            divisor={"value": 1.0, "is": "constant"},
            noise={"deviation": each.noise_multiplier, "on": "sum"},
            step_size=1.0,
        )
        for each in history.segments
    ]
    return _mechanism("an event of dp-accounting", history.adjacency, history.n, steps, claims)


def _batches(sampling: str, rate: float, n: int | None) -> dict[str, Any]:
    if sampling == "poisson":
        return {"drawn": "poisson", "rate": rate}
    if sampling == "fixed":
        assert n is not None
        # The rate is size/n in floats: rounding gives back the whole number.
        return {"drawn": "fixed", "size": round(rate * n)}
    return {"drawn": "full"}


def of_opacus(
    engine: Any,
    *,
    optimizer: Any = None,
    data_loader: Any = None,
    model: Any = None,
    claims: Iterable[Any] = (),
    released: str = "every",
) -> Mechanism:
    """Return the mechanism that an engine of Opacus has run, as far as its objects know it.

    engine: PrivacyEngine or accountant, after the training.  optimizer: its DPOptimizer.
    data_loader: what batches came from.  model: for layers that mix rows.  claims: as a mechanism
    document has them.  released: "every" or "last".  What is not given is `unknown`.  Raises
    ValueError for an empty history.
    """
    n = row_count(engine)
    history = step_counts(engine)
    secure = bool(getattr(engine, "secure_mode", False))
    steps = [
        _segment(
            count,
            _loader(data_loader, rate),
            _clip(optimizer),
            _divisor(optimizer, rate, n),
            _noise(optimizer, multiplier, secure),
            **_update(optimizer),
        )
        for multiplier, rate, count in history
    ]
    name = f"a training with Opacus, {sum(count for _, _, count in history)} steps"
    layers = UNKNOWN if model is None else mixing_layers(model)
    more = {"layers": layers, "released": released}
    return _mechanism(name, "delete", n, steps, claims, **more)


def _mechanism(
    name: str,
    adjacency: str,
    n: int | None,
    steps: list[dict[str, Any]],
    claims: Iterable[Any],
    **more: Any,
) -> Mechanism:
    document = {
        "schema": SCHEMA,
        "name": name,
        "relation": {"adjacency": adjacency},
        "steps": steps,
        "released": "every",
        "requests": "oblivious",
        "claims": list(claims),
        **more,
    }
    return Mechanism.of_document(document if n is None else document | {"n": n})


def _segment(
    count: int,
    batches: Mapping[str, Any],
    clip: Mapping[str, Any],
    divisor: Mapping[str, Any],
    noise: Mapping[str, Any],
    **update: Any,
) -> dict[str, Any]:
    return {
        "count": count,
        "sees": True,
        "batches": batches,
        "clip": clip,
        "divisor": divisor,
        "noise": noise,
        **update,
    }


def _loader(loader: Any, rate: float) -> dict[str, Any]:
    """How the loader draws."""
    if loader is None:
        return {"drawn": UNKNOWN, "rate": rate}
    drawn = sampling(loader) or UNKNOWN
    if drawn == "poisson":
        return {"drawn": drawn, "rate": rate}
    size = getattr(loader, "batch_size", None)
    last = "dropped" if getattr(loader, "drop_last", False) else "kept"
    return {"drawn": drawn, "size": UNKNOWN if size is None else int(size), "last": last}


def _clip(optimizer: Any) -> dict[str, Any]:
    norms = clip_norms(optimizer)
    # Groups with norms that differ have no place in a mechanism.
    if len(set(norms)) != 1:
        return {"norm": UNKNOWN, "each": UNKNOWN}
    constant = {"value": norms[0], "origin": "enforced", "by": type(optimizer).__name__}
    if clip_fault(optimizer) is None:
        return {"norm": constant, "each": "row"}
    return {"norm": constant, "each": "group", "groups": len(norms)}


def _divisor(optimizer: Any, rate: float, n: int | None) -> dict[str, Any]:
    """What Opacus divides by: the whole part of n times the rate, unless another was set."""
    value = sum_divisor(optimizer)
    if getattr(optimizer, "loss_reduction", None) == "sum":
        return {"value": value, "is": "constant"}
    if value is None or n is None:
        return {"value": UNKNOWN if value is None else value, "is": UNKNOWN}
    follows = int(optimizer.expected_batch_size) == int(n * rate)
    return {"value": value, "is": "from_n" if follows else "constant"}


def _noise(optimizer: Any, multiplier: float, secure: bool) -> dict[str, Any]:
    # Of several norms it is the norm of them all, and scales the noise.
    norm = getattr(optimizer, "max_grad_norm", None)
    if not isinstance(norm, float | int):
        return {"deviation": UNKNOWN, "on": "sum", "drawn": UNKNOWN}
    drawn = "fresh" if secure else _drawn(getattr(optimizer, "generator", None))
    return {"deviation": multiplier * float(norm), "on": "sum", "drawn": drawn}


def _drawn(generator: Any) -> str:
    """Whether a number that a person chose seeds the generator, or torch's own where it is None."""
    torch = sys.modules.get("torch")
    seeded = generator if generator is not None else torch
    if seeded is None or not hasattr(seeded, "initial_seed"):
        return UNKNOWN
    return "public" if int(seeded.initial_seed()) < CHOSEN_SEED else "fresh"


def _update(optimizer: Any) -> dict[str, Any]:
    """Optimizer, step size, decay and momentum of a single group of parameters."""
    inner = plain_optimizer(optimizer)
    groups = getattr(inner, "param_groups", [])
    if len(groups) != 1:
        return {"step_size": UNKNOWN, "decay": UNKNOWN, "optimizer": UNKNOWN, "momentum": UNKNOWN}
    (group,) = groups
    # A scheduler leaves the first rate beside the one of now: what the others were is not known.
    changed = group.get("initial_lr", group.get("lr")) != group.get("lr")
    rate = float(group.get("lr", 0.0))
    return {
        "step_size": UNKNOWN if changed or not rate > 0 else rate,
        "decay": float(group.get("weight_decay", 0.0)),
        "optimizer": type(inner).__name__.lower(),
        "momentum": float(group.get("momentum", 0.0)),
    }
