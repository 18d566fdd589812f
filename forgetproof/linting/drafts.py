"""Draft documents of scripts: what stands literally in a training script, and where.

Everything else is `unknown`. A call decides a field only where the script leaves no choice: one
loader, one optimizer, one noise multiplier; arguments from a command line, a loop or a file are
unknown. A draft is completed by whoever knows what runs; as it stands no claim of it is false.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from accounting.mechanism import SCHEMA, UNKNOWN
from forgetproof.linting.scripts import Literal, Script, ScriptCall

PRIVATE = ("make_private", "make_private_with_epsilon")
LOADERS = ("DataLoader", "DPDataLoader")
OPTIMIZERS = (
    "SGD",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "RAdam",
    "Adagrad",
    "Adadelta",
    "RMSprop",
    "LAMB",
    "Lion",
    "Rprop",
    "LBFGS",
)
MULTIPLIERS = ("noise_multiplier",)
NORMS = ("max_grad_norm", "l2_norm_clip", "l2_clip_norm")


class _Draft:
    """A document that is filled field by field, each with its place."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.places: dict[str, dict[str, Any]] = {}

    def taken(self, path: str, literal: Literal | None) -> Any:
        """The literal's value, whose place is noted; unknown without one."""
        if literal is None:
            return UNKNOWN
        self.places[path] = {"file": self.script.file, "line": literal.line}
        return literal.value

    def number(self, path: str, literal: Literal | None) -> Any:
        """The same for a constant: what is no positive number is unknown."""
        value = None if literal is None else literal.value
        if isinstance(value, bool | str) or value is None or not value > 0:
            return UNKNOWN
        return self.taken(path, literal)


def draft(path: Path) -> dict[str, Any]:
    """Return the draft document of a Python script, which is read and not executed.

    Raises ValueError that begins with "draft" for text that is no Python, OSError where it cannot
    be read.
    """
    script = Script(path)
    sheet = _Draft(script)
    privacy = _only(script.named(*PRIVATE))
    # None: the script has no such call; several: which one counts is not known.
    loader = _passed(script.named(*LOADERS), privacy, "data_loader")
    optimizer = _passed(script.named(*OPTIMIZERS), privacy, "optimizer")
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "name": f"draft of {path.name}",
        "source": {"file": str(path)},
        "relation": {"adjacency": UNKNOWN},
        "n": UNKNOWN,
        "steps": [
            {
                "count": UNKNOWN,
                "sees": UNKNOWN,
                "batches": _batches(sheet, loader, privacy),
                "clip": _clip(sheet),
                "divisor": {"value": UNKNOWN, "is": UNKNOWN},
                "noise": _noise(sheet, privacy),
                **_update(sheet, optimizer),
            }
        ],
        "released": UNKNOWN,
        "requests": UNKNOWN,
        "claims": _claims(sheet, privacy),
    }
    return document | {"places": sheet.places}


def _only(calls: list[ScriptCall]) -> ScriptCall | None:
    return calls[0] if len(calls) == 1 else None


def _passed(calls: list[ScriptCall], privacy: ScriptCall | None, keyword: str) -> ScriptCall | None:
    """The call whose result the engine is given; without an engine the only one."""
    name = privacy.names.get(keyword) if privacy is not None else None
    if name is not None:
        calls = [call for call in calls if call.assigned_to == name]
    return _only(calls)


def _batches(
    sheet: _Draft, loader: ScriptCall | None, privacy: ScriptCall | None
) -> dict[str, Any]:
    path = "steps[0].batches"
    size = None if loader is None else loader.literal("batch_size", 1)
    value = size.value if size is not None else None
    whole = isinstance(value, int) and not isinstance(value, bool) and value > 0
    batches: dict[str, Any] = {"drawn": _drawn(sheet, loader, privacy)}
    batches["size"] = sheet.taken(f"{path}.size", size) if whole else UNKNOWN
    dropped = None if loader is None else loader.literal("drop_last")
    if dropped is not None and isinstance(dropped.value, bool):
        sheet.taken(f"{path}.last", dropped)
        batches["last"] = "dropped" if dropped.value else "kept"
    else:
        batches["last"] = UNKNOWN
    return batches


def _drawn(sheet: _Draft, loader: ScriptCall | None, privacy: ScriptCall | None) -> str:
    """How batches are drawn, where a literal says it."""
    path = "steps[0].batches.drawn"
    if loader is None:
        return UNKNOWN
    if loader.name == "DPDataLoader":
        sheet.taken(path, Literal("poisson", loader.line))
        return "poisson"
    if sheet.script.named(*PRIVATE):
        # The engine draws anew, unless it is told not to: then the loader's own order stays.
        poisson = None if privacy is None else privacy.literal("poisson_sampling")
        if poisson is None:
            return UNKNOWN
        if poisson.value is not False:
            sheet.taken(path, poisson)
            return "poisson"
    shuffle = loader.literal("shuffle", 2)
    if shuffle is None or any(loader.passes(word) for word in ("sampler", "batch_sampler")):
        return UNKNOWN
    sheet.taken(path, shuffle)
    return "shuffled" if shuffle.value else "cyclic"


def _agreed(script: Script, keywords: Iterable[str]) -> Literal | None:
    """The literal that all calls with one of these keywords pass; None where they differ."""
    literals = [
        call.arguments[word] for call in script.calls for word in keywords if call.passes(word)
    ]
    values = {None if literal is None else literal.value for literal in literals}
    return literals[0] if len(values) == 1 else None


def _clip(sheet: _Draft) -> dict[str, Any]:
    norm = sheet.number("steps[0].clip.norm", _agreed(sheet.script, NORMS))
    return {"norm": norm, "each": UNKNOWN}


def _noise(sheet: _Draft, privacy: ScriptCall | None) -> dict[str, Any]:
    """The deviation is the multiplier times the norm, where both are literals."""
    path = "steps[0].noise"
    multiplier = _agreed(sheet.script, MULTIPLIERS)
    norm = _agreed(sheet.script, NORMS)
    noise: dict[str, Any] = {"deviation": UNKNOWN, "on": UNKNOWN, "drawn": UNKNOWN}
    if multiplier is not None and norm is not None:
        value = sheet.number(f"{path}.deviation", multiplier)
        scale = sheet.number("steps[0].clip.norm", norm)
        if UNKNOWN not in (value, scale):
            noise |= {"deviation": value * scale, "on": "sum"}
    seed = _seed(sheet.script, privacy)
    if seed is not None:
        sheet.taken(f"{path}.drawn", seed)
        noise["drawn"] = "public"
    return noise


def _seed(script: Script, privacy: ScriptCall | None) -> Literal | None:
    """The seed of the generator that the noise comes from, where it stands in the script.

    The engine draws from torch's own generator, unless it has one of its own or is in secure mode.
    """
    if privacy is None or privacy.passes("noise_generator"):
        return None
    engines = script.named("PrivacyEngine")
    if any(engine.passes("secure_mode") for engine in engines):
        return None
    seeds = [
        call.literal("seed", 0) for call in script.named("manual_seed") if call.qualifier == "torch"
    ]
    return seeds[0] if len(seeds) == 1 else None


def _update(sheet: _Draft, optimizer: ScriptCall | None) -> dict[str, Any]:
    """Step size, decay, momentum and the name of the optimizer."""
    if optimizer is None:
        return {"step_size": UNKNOWN, "decay": UNKNOWN, "optimizer": UNKNOWN, "momentum": UNKNOWN}
    sheet.taken("steps[0].optimizer", Literal(optimizer.name, optimizer.line))
    update = {
        "step_size": sheet.number("steps[0].step_size", optimizer.literal("lr", 1)),
        "optimizer": optimizer.name.lower(),
    }
    for field, keyword in (("decay", "weight_decay"), ("momentum", "momentum")):
        literal = optimizer.literal(keyword)
        zero = literal is not None and literal.value == 0
        path = f"steps[0].{field}"
        update[field] = sheet.taken(path, literal) if zero else sheet.number(path, literal)
    return update


def _claims(sheet: _Draft, privacy: ScriptCall | None) -> list[dict[str, Any]]:
    """The target of a calibration, where both numbers are literals."""
    if privacy is None:
        return []
    epsilon, delta = privacy.literal("target_epsilon"), privacy.literal("target_delta")
    numbers = (
        sheet.number("claims[0].epsilon", epsilon),
        sheet.number("claims[0].delta", delta),
    )
    if UNKNOWN in numbers or not numbers[1] < 1:
        sheet.places.pop("claims[0].epsilon", None)
        sheet.places.pop("claims[0].delta", None)
        return []
    return [{"epsilon": numbers[0], "delta": numbers[1]}]
