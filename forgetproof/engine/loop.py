"""A training loop in the habits of Opacus: a loader, an optimizer, and steps that are the engine's.

The loader draws the batch, and the optimizer's `step` is the engine's noisy step on just that
batch, with gradients of its own: what `backward` has computed is not used.  So the loop can pass no
batch, no gradient and no noise, and one draw is one step.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import default_collate

from forgetproof.engine.refusals import EngineRefusal, insist_on_optimizer, insist_on_rate
from forgetproof.engine.run import RecordedTraining


class DrawnBatch:
    """The batch that was drawn and waits for its step."""

    def __init__(self, run: RecordedTraining) -> None:
        self.run = run
        self.rows: NDArray[np.int64] | None = None

    def draw(self) -> NDArray[np.int64]:
        """A new batch. Raises EngineRefusal where the one before was not followed by a step."""
        self.run.insist_on_training()
        self.insist_on_step()
        self.rows = self.run.steps.draw(self.run.table.present)
        return self.rows

    def insist_on_step(self) -> None:
        """Raises EngineRefusal where a batch waits: a loop must not choose among batches."""
        if self.rows is not None:
            raise EngineRefusal(
                "optimizer must step after every batch, got a batch without: which batches count "
                "must not depend on what is in them"
            )

    def step(self) -> None:
        """The step on it. Raises EngineRefusal without one, as for accumulated gradients."""
        self.run.insist_on_training()
        if self.rows is None:
            raise EngineRefusal("optimizer must step once a batch, got a step without a batch")
        self.run.steps.step(self.rows)
        self.rows = None


class RecordedLoader:
    """Batches for the loop; an epoch has 1/rate of them, rounded."""

    def __init__(self, batch: DrawnBatch) -> None:
        self._batch = batch

    def __len__(self) -> int:
        return max(1, round(1 / self._batch.run.settings.rate))

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        table = self._batch.run.table
        for _ in range(len(self)):
            rows = torch.from_numpy(self._batch.draw())
            yield table.rows[rows], table.targets[rows]


class RecordedOptimizer:
    """Plain SGD's place in the loop.

    Attributes:
        original_optimizer: what the loop had before; schedulers may hold it, and every step looks
            whether its rates are still those of the settings.
    """

    def __init__(self, batch: DrawnBatch, original: Any) -> None:
        settings = batch.run.settings
        insist_on_optimizer(original, batch.run.steps.step_size, settings.decay)
        self._batch = batch
        self.original_optimizer = original

    @property
    def param_groups(self) -> list[dict[str, Any]]:
        """Those of the original."""
        groups: list[dict[str, Any]] = self.original_optimizer.param_groups
        return groups

    def zero_grad(self, set_to_none: bool = True) -> None:
        """As the original's."""
        self.original_optimizer.zero_grad(set_to_none=set_to_none)

    def step(self, closure: Callable[[], Any] | None = None) -> None:
        """The engine's step on the batch that the loader drew last."""
        if closure is not None:
            raise EngineRefusal(
                "closure must be left out: it would evaluate a batch more than once"
            )
        settings = self._batch.run.settings
        (group,) = self.param_groups
        insist_on_rate(group, self._batch.run.steps.step_size, settings.decay)
        self._batch.step()


def rows_of(loader: Any) -> tuple[Any, Any]:
    """All rows and targets of a loader's data set, each read once, in its order.

    Raises EngineRefusal for data without places, and for a loader that makes something of a batch.
    """
    dataset = getattr(loader, "dataset", None)
    if not hasattr(dataset, "__getitem__") or not hasattr(dataset, "__len__"):
        raise EngineRefusal("data_loader must have a data set with places and a length")
    if getattr(loader, "collate_fn", default_collate) is not default_collate:
        raise EngineRefusal(
            "data_loader must collate as torch does: a function of its own may mix the rows of a "
            "batch"
        )
    assert dataset is not None
    pairs = [dataset[place] for place in range(len(dataset))]
    if any(len(pair) != 2 for pair in pairs):
        raise EngineRefusal("data_loader must give pairs of a row and its target")
    rows = torch.stack([torch.as_tensor(row) for row, _ in pairs])
    targets = torch.stack([torch.as_tensor(target) for _, target in pairs])
    return rows, targets
