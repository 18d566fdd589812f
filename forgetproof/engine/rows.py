"""The rows of a training and their ids: each read once, scaled by itself, present or gone."""

import hashlib
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from forgetproof.engine.refusals import EngineRefusal, insist_on_precision


class RowTable:
    """Rows, targets and ids of one training; a row that left does not come back.

    Attributes:
        rows, targets: tensors; one row each along the first axis.
        present: whether a row is still there, shape (n,).
    """

    def __init__(self, rows: Any, targets: Any, ids: Sequence[Hashable]) -> None:
        # Copies: what the caller does to the rows later is no step of the engine.
        self.rows, self.targets = _copied(rows), _copied(targets)
        insist_on_precision("rows", self.rows)
        names = list(ids)
        self._place = {name: place for place, name in enumerate(names)}
        if len(self._place) < len(names):
            raise EngineRefusal(f"ids must be different, got {len(names) - len(self._place)} twice")
        lengths = {len(self.rows), len(self.targets), len(names)}
        if len(lengths) > 1:
            raise EngineRefusal(
                f"ids must be one for every row and target, got {len(names)} for "
                f"{len(self.rows)} rows and {len(self.targets)} targets"
            )
        # A NaN in one row would be a NaN in every sum that has it: no clip bounds it.
        for name, tensor in (("rows", self.rows), ("targets", self.targets)):
            if not bool(torch.isfinite(tensor).all()):
                raise EngineRefusal(f"{name} must be finite numbers, got NaN or an infinity")
        self.present: NDArray[np.bool_] = np.ones(len(names), dtype=bool)

    def __len__(self) -> int:
        return len(self.present)

    @property
    def ids(self) -> Iterable[Hashable]:
        """Of all rows, those that left among them."""
        return self._place

    def positions(self, ids: Sequence[Hashable]) -> list[int]:
        """Where rows stand. Raises EngineRefusal for ids that are unknown, gone, twice, or none."""
        if isinstance(ids, str | bytes):
            raise EngineRefusal(f"ids must be a list of them, got {ids!r}")
        names = list(ids)
        if not names:
            raise EngineRefusal("ids must be one or more, got none")
        if len(set(names)) < len(names):
            raise EngineRefusal("ids must be different, got one of them twice")
        for name in names:
            if name not in self._place:
                raise EngineRefusal(f"ids must be those of rows of the training, got {name!r}")
            if not self.present[self._place[name]]:
                raise EngineRefusal(
                    f"ids must be of rows that are there, got {name!r}, which has left"
                )
        return [self._place[name] for name in names]

    def remove(self, positions: Sequence[int]) -> None:
        """The rows are in no batch from now on."""
        self.present[list(positions)] = False

    def digest(self) -> str:
        """SHA-256 of rows, targets and shapes; private: it tells whoever has the rows."""
        text = hashlib.sha256()
        for tensor in (self.rows, self.targets):
            array = np.ascontiguousarray(tensor.detach().cpu().numpy())
            text.update(repr((array.shape, array.dtype.str)).encode())
            text.update(array.tobytes())
        return text.hexdigest()


def _copied(values: Any) -> Any:
    if isinstance(values, torch.Tensor):
        return values.detach().clone()
    return torch.from_numpy(np.array(values))
