"""Rows with public bounds and a loss: what is learned from, and what is known of it unseen.

The constants are those that the loss certifies for one row, the worst within the bounds, so that
they hold for every row that may come.  Rows are scaled to norm 1, one by one; or they are as they
are, and longer ones are refused, or shortened.  Without a bound the largest row sets it, and what
follows shows something of that row.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from accounting.numerics import validation
from accounting.problems.learner import Learner
from accounting.problems.options import built, flag, natural, positive, real, whole
from simulators.data.dataset import Dataset
from simulators.data.prepared import PreparedTable
from simulators.data.row_data import RowData
from simulators.data.rows_of import TABLES
from simulators.domains import Ball, WholeSpace
from simulators.runs.data import (
    DATA,
    OnRows,
    about,
    chosen,
    held_out,
    normalised,
    on_one_scale,
    ranges_of,
    reads_pieces,
    share,
    source_of,
)
from simulators.runs.losses import LOSSES, make_loss
from simulators.runs.row_conditions import conditions
from simulators.runs.tables import is_table, prepared_of
from simulators.runs.targets import WANTS, names_of_classes
from simulators.runs.within_bounds import limited_rows, shortened_rows, within_bound

if TYPE_CHECKING:
    from simulators.losses.base import Loss

_FAR = 1e150  # no target is larger
TRAINING = ("epochs", "batch_size", "batches", "radius")
"""Settings that only some problems take."""


def loss(name: str, value: object) -> Any:
    """A loss, or the name of one."""
    if isinstance(value, str):
        return validation.choice(name, value, LOSSES)
    from simulators.losses.linear_model import LinearModel
    from simulators.losses.softmax import Softmax

    if isinstance(value, LinearModel | Softmax):
        return value
    return validation._fail(name, f"{', '.join(LOSSES)}, or one of simulators.losses", value)


@dataclass(frozen=True, kw_only=True, eq=False)
class Bounded(OnRows):
    """What learning from rows is asked for, where its constants must not depend on them."""

    takes_pieces = True

    data: Any = built(
        f"Rows, in place of the constants that follow from their bounds: FILE.npz, .npy, a table "
        f"({', '.join(TABLES)}), or {', '.join(DATA[:5])}.",
        "simulators.runs.tables:rows",
        None,
    )
    normalise: bool | None = flag(
        "Every row to norm 1 (if there is no row-norm), or as it is.", "normalise", "raw", None
    )
    row_norm: float | None = positive("Public bound on the norms of rows.", None)
    target_bound: float | None = positive("Public bound on |target|, of losses of numbers.", None)
    clip_rows: bool = flag("Shorten what passes these bounds, which is refused else.", "clip-rows")
    loss: Any = built(f"Of a row: {', '.join(LOSSES)}.", "simulators.runs.bounded:loss", "logistic")
    regularisation: float | None = natural("lambda of (lambda/2)|w|^2.", None)
    epochs: int = whole("Of the training.", 10)
    batch_size: int | None = whole(
        "Rows of a step; the last n mod b rows are dropped.", None, shown="all"
    )
    batches: int = whole("Of an epoch, each sampled by Poisson at one over their number.", 50)
    radius: float = real(
        "R of the ball around 0, to which steps are projected.", math.inf, low=0.0, low_open=True
    )
    shuffle: bool = flag("Rows in random order, or as they come.", "shuffle", "in-order", True)
    test_share: float = share(0.2)
    trials: int = whole("Runs with noise, whose cost is measured on the rows held out.", 32, low=2)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.data is None:
            raise ValueError("data must be a file, a name, or a Dataset, got None")
        if isinstance(self.loss, str) and self.regularisation is None:
            raise ValueError("regularisation must be given with data and a named loss, got none")

    def unused(self) -> dict[str, str]:
        reasons = super().unused()
        if self.normalise and self.row_norm is not None:
            reasons["row_norm"] = "with normalise, which makes every norm 1"
        if self.row_norm is None and self.target_bound is None:
            reasons["clip_rows"] = "without row_norm or target_bound"
        if self.wants != "numbers":
            reasons["target_bound"] = f"with loss {self._word}, which reads no numbers"
        if not isinstance(self.loss, str):
            reasons["regularisation"] = "with a loss that has its own"
        if not self.test_share:
            reasons["trials"] = "without rows held out"
        return reasons

    @property
    def _word(self) -> str:
        return self.loss if isinstance(self.loss, str) else type(self.loss).__name__

    @property
    def wants(self) -> str:
        """The targets that the loss takes."""
        if isinstance(self.loss, str):
            return WANTS.get(self.loss, "numbers")
        return {"Logistic": "pair", "SmoothedHinge": "pair", "Softmax": "classes"}.get(
            self._word, "numbers"
        )

    @property
    def scaled(self) -> bool:
        """Whether every row is scaled to norm 1."""
        return self.row_norm is None if self.normalise is None else self.normalise

    @property
    def _kind(self) -> str:
        """A loss that takes the same targets: any serves to read the rows."""
        return {"pair": "logistic", "classes": "softmax", "none": "quadratic"}.get(
            self.wants, "ridge"
        )

    @cached_property
    def table(self) -> PreparedTable | None:
        """The rows of a table and what was made of its columns; None for other data."""
        if reads_pieces(self) or not is_table(self.data):
            return None
        return prepared_of(self, self._kind)

    @cached_property
    def _source(self) -> Any:
        """All rows, with their own targets."""
        return source_of(self, self._kind) if self.table is None else self.table.data

    @cached_property
    def class_names(self) -> tuple[str, ...]:
        """The names of the classes in their order, -1 before +1; none where targets are numbers."""
        return names_of_classes(self._source, self._kind, self.classes)

    @cached_property
    def _read(self) -> Any:
        """So many rows as are asked for, with the targets that the loss takes."""
        return chosen(self, self._source, self._kind)

    @cached_property
    def column_ranges(self) -> Mapping[int, tuple[float, float]]:
        """Column -> low and high, of those that are mapped to [-1, 1]; none of a table."""
        return ranges_of(self, self._read)

    @cached_property
    def _rows(self) -> Any:
        """All rows within their bounds."""
        dataset = on_one_scale(self._read, self.column_ranges, self.intercept)
        if self.scaled:
            return normalised(dataset)
        if self.row_norm is not None:
            dataset = self._shortened(dataset, self.row_norm)
        if self.target_bound is not None:
            dataset = self._limited(dataset, self.target_bound)
        return dataset

    def _shortened(self, data: RowData, bound: float) -> RowData:
        return within_bound(
            data,
            lambda rows: shortened_rows(rows, bound, clip=self.clip_rows),
            f"rows that were longer shortened to norm {bound:.6g}" if self.clip_rows else None,
        )

    def _limited(self, data: RowData, bound: float) -> RowData:
        return within_bound(
            data,
            lambda rows: limited_rows(rows, bound, clip=self.clip_rows),
            f"targets that were farther limited to {bound:.6g}" if self.clip_rows else None,
            lambda targets: targets.clip(-bound, bound),
        )

    @cached_property
    def parts(self) -> tuple[Any, Any]:
        """The rows to learn from, and those held out (None: none)."""
        data = self._rows.shuffled(self.seed) if self.shuffle else self._rows
        kept, test = held_out(data, self.test_share)
        if self.batch_size is not None:
            size = validation.count("batch_size", self.batch_size, low=1, high=len(kept))
            if len(kept) % size:
                kept = kept.trimmed(size)
        return kept, test

    @property
    def in_random_parts(self) -> bool:
        """Whether the rows come in an order that is random for rows in pieces alone."""
        return self.shuffle and reads_pieces(self)

    @cached_property
    def made(self) -> Loss:
        """The loss."""
        if not isinstance(self.loss, str):
            return self.loss  # type: ignore[no-any-return]  # `loss` above has checked it
        assert self.regularisation is not None
        loss: Loss = make_loss(self.loss, self.regularisation, None, self._rows)
        return loss

    @cached_property
    def domain(self) -> Any:
        """The ball, or R^d."""
        return Ball(self.radius) if math.isfinite(self.radius) else WholeSpace()

    def _constants(self, norm: float, target: float) -> Any:
        """Of the worst row within the bounds, which stands for all."""
        row = np.zeros((1, self._rows.dimension))
        row[0, 0] = norm
        # Which class a row has does not matter to the constants; how far a number is may.
        label = {"classes": 0.0, "pair": 1.0}.get(self.wants, target)
        targets = None if self.wants == "none" else np.array([label])
        return self.made.constants(Dataset(row, targets), domain=self.domain)

    @cached_property
    def bounds(self) -> Mapping[str, tuple[float, bool]]:
        """row_norm, and where it matters target_bound: the bound, and whether it is public."""
        norm = 1.0 if self.scaled else self.row_norm
        largest = self._rows.summary.longest if norm is None else norm
        if not largest > 0:
            raise ValueError("row_norm must be given for data without a row but zero, got none")
        values = {"row_norm": (largest, norm is not None)}
        if self.wants != "numbers":
            return values
        size = self._rows.summary.largest_target
        if self.target_bound is not None:
            values["target_bound"] = self.target_bound, True
        # A bound on targets matters only where the constants depend on it.
        elif self._constants(largest, size) != self._constants(largest, _FAR):
            values["target_bound"] = size, False
        return values

    @cached_property
    def constants(self) -> Any:
        """Certified for every row within the bounds."""
        bound = {name: value for name, (value, _) in self.bounds.items()}
        return self._constants(bound["row_norm"], bound.get("target_bound", _FAR))

    @cached_property
    def learner(self) -> Learner:
        """What is known without a look at the rows, or said to have been measured."""
        constants, data = self.constants, self.parts[0]
        return Learner(
            n=len(data),
            parameters=math.prod(self.made.parameter_shape(data)),
            regularisation=constants.strong_convexity,
            slope=constants.half_gradient_difference,
            smoothness=constants.smoothness,
            hessian_lipschitz=constants.hessian_lipschitz,
            scores=math.prod(self.made.parameter_shape(data)[1:]),
            epochs=self.epochs,
            batch_size=self.batch_size,
            batches=self.batches,
            radius=self.radius,
            loss=self._word,
            measured=self.measured,
            conditions=conditions(self),
        )

    @property
    def measured(self) -> tuple[str, ...]:
        """What was computed from the rows, by name."""
        bounds = tuple(name for name, (_, public) in self.bounds.items() if not public)
        if self.table is not None:
            return (*bounds, *self.table.measured)
        return (*bounds, "column_range") if self.column_ranges and self.scale == "file" else bounds

    def document(self) -> dict[str, Any]:
        """The rows, their bounds, and what follows from them."""
        data, test = self.parts
        learner = self.learner
        names = ("regularisation", "slope", "smoothness", "hessian_lipschitz")
        return {
            **about(data),
            "held_out": 0 if test is None else len(test),
            "loss": self._word,
            "bounds": {
                name: {"value": value, "public": public}
                for name, (value, public) in self.bounds.items()
            },
            "constants": {name: getattr(learner, name) for name in names},
        }
