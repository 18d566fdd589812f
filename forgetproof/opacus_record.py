"""What a training with Opacus did, step by step, seen from its optimizer's hook.

A hook sees a step after its noise was added and before the weights move.  What it sees is recorded
as executed; what it does not see, such as the batch that was really drawn or who knows the seed, is
marked `assumed` or `unknown`.  So a record is for `forgetproof lint`, and never certifies.
"""

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any

from forgetproof.training_objects import (
    mixing_layers,
    plain_optimizer,
    sampling,
    sum_divisor,
)

_SCHEMA = "forgetproof/mechanism/1"


@dataclass(frozen=True)
class OpacusStep:
    """One step as the optimizer had it."""

    noise_multiplier: float
    clip: float
    each: str
    divisor: float
    step_size: float
    decay: float
    momentum: float
    optimizer: str


class OpacusRecorder:
    """Records every step of a DPOptimizer of Opacus from now on; the accountant's hook stays.

    optimizer: of `make_private`.  data_loader: what the loop draws batches from, as far as the
    recorder can know.  model: for layers that mix rows.

    Attributes:
        steps: as executed, in order.
    """

    def __init__(self, optimizer: Any, *, data_loader: Any = None, model: Any = None) -> None:
        if not callable(getattr(optimizer, "attach_step_hook", None)):
            raise ValueError(
                f"optimizer must be a DPOptimizer of Opacus, got {type(optimizer).__name__}"
            )
        self.steps: list[OpacusStep] = []
        self._loader, self._model = data_loader, model
        # Opacus keeps one hook, which is its accountant's: both are called.
        self._before = getattr(optimizer, "step_hook", None)
        optimizer.attach_step_hook(self._after_noise)

    def _after_noise(self, optimizer: Any) -> None:
        if self._before is not None:
            self._before(optimizer)
        self.steps.append(_step(optimizer))

    @property
    def segments(self) -> list[tuple[int, OpacusStep]]:
        """Equal steps in a row, with how many they are."""
        runs: list[tuple[int, OpacusStep]] = []
        for step in self.steps:
            if runs and runs[-1][1] == step:
                runs[-1] = (runs[-1][0] + 1, step)
            else:
                runs.append((1, step))
        return runs

    def mechanism(self, claims: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """The document of what was seen (`forgetproof/mechanism/1`), with claims as given.

        Raises ValueError before the first step.
        """
        if not self.steps:
            raise ValueError("steps must be one or more for a record, got none")
        document: dict[str, Any] = {
            "schema": _SCHEMA,
            "name": f"{len(self.steps)} steps of Opacus, seen by a hook",
            "relation": {"adjacency": "delete", "rows": 1, "reference": "N+K"},
            "steps": [self._segment(count, step) for count, step in self.segments],
            "released": "unknown",
            "requests": "oblivious",
            "claims": [dict(each) for each in claims],
        }
        dataset = getattr(self._loader, "dataset", None)
        if isinstance(dataset, Sized):
            document["n"] = len(dataset)
        if self._model is not None and (layers := mixing_layers(self._model)):
            document["layers"] = layers
        return document

    def _segment(self, count: int, step: OpacusStep) -> dict[str, Any]:
        by = "read from the optimizer at the step"
        return {
            "count": count,
            "sees": True,
            "batches": _batches(self._loader),
            "clip": {"norm": _constant(step.clip, "enforced", "Opacus"), "each": step.each},
            # Opacus makes it from the number of rows.
            "divisor": {"value": _constant(step.divisor, "public", by), "is": "from_n"},
            "noise": {
                "deviation": step.noise_multiplier * step.clip,
                "on": "sum",
                "drawn": "unknown",
                "seed": "unknown",
            },
            "step_size": step.step_size,
            "decay": step.decay,
            "optimizer": step.optimizer,
            "momentum": step.momentum,
        }


def _constant(value: float, origin: str, by: str) -> dict[str, Any]:
    return {"value": value, "origin": origin, "by": by}


def _step(optimizer: Any) -> OpacusStep:
    inner = plain_optimizer(optimizer)
    group = inner.param_groups[0]
    divisor = sum_divisor(optimizer)
    return OpacusStep(
        noise_multiplier=float(optimizer.noise_multiplier),
        clip=float(optimizer.max_grad_norm),
        each="row",
        divisor=1.0 if divisor is None else divisor,
        step_size=float(group["lr"]),
        decay=float(group.get("weight_decay", 0.0)),
        momentum=float(group.get("momentum", 0.0)),
        optimizer=type(inner).__name__.lower(),
    )


def _batches(loader: Any) -> dict[str, Any]:
    """How the loader draws; that the loop takes all batches, and no others, is assumed."""
    drawn, size = sampling(loader), getattr(loader, "batch_size", None)
    if drawn == "poisson":
        rate = _constant(float(loader.sample_rate), "assumed", "the loop takes batches from here")
        return {"drawn": drawn, "rate": rate}
    if drawn is None or size is None:
        return {"drawn": "unknown"}
    return {"drawn": drawn, "size": int(size)}
