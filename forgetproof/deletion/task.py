"""A deletion from a table: which rows, which model, which rows are held out."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from accounting.problems.options import flag, positive, real, settle, text, whole, word
from forgetproof.deletion.estimators import trained_step
from forgetproof.deletion.requests import rows_of_numbers, rows_of_values
from simulators.data.column_map import ColumnMap
from simulators.data.prepared import PreparedTable
from simulators.runs.tables import TableOptions, is_table, prepared_of

if TYPE_CHECKING:
    from forgetproof.deletion.result import DeletionResult

LOSSES = ("logistic", "squared_hinge", "ridge")
_SHARE = 0.2  # of the rows, held out where a model is trained here


@dataclass(frozen=True, kw_only=True, eq=False)
class TableDeletion(TableOptions):
    """Rows of a table, the model that was trained on them, and rows that leave it."""

    removed: str | None = text("Rows: FROM:TO, numbers with commas, or a file of them, from 0.")
    removed_where: str | None = text(
        "COLUMN=FILE: rows whose column holds a value that is a line of the file."
    )
    model: str | None = text(
        "A model.json of forgetproof, or a pickle that you trust.", shown="trained here"
    )
    trust_pickle: bool = flag("The model is a pickle: run the code in it.", "trust-pickle")
    loss: str = word("Of a model that is trained here.", *LOSSES)
    regularisation: float = positive(
        "lambda of (lambda/2)|w|^2 beside the sum of losses: 1/C of scikit-learn.", 1.0
    )
    held_out: float | None = real(
        "Share of the rows that is held out.",
        None,
        low=0.0,
        high=0.9,
        shown=f"{_SHARE:g}; 0 with a model",
    )
    seed: int = whole("Of which rows are held out.", 0, low=0)

    def __post_init__(self) -> None:
        settle(self, self.unused)
        if self.data is None or not is_table(self.data):
            raise ValueError(f"data must be the file of a table, got {self.data!r:.60}")
        if (self.removed is None) == (self.removed_where is None):
            raise ValueError("removed or removed_where must say which rows leave, one of them")

    def unused(self) -> dict[str, str]:
        """Fields that have no use -> why."""
        if self.model is not None:
            return dict.fromkeys(("loss", "regularisation"), "with a model")
        return {"trust_pickle": "without a model"}

    @cached_property
    def table(self) -> PreparedTable:
        """The rows as numbers."""
        return prepared_of(self, "ridge" if self._regression else "logistic")

    @property
    def _regression(self) -> bool:
        if self.model is None:
            return self.loss == "ridge"
        return not hasattr(trained_step(self.model_before), "classes_")

    @cached_property
    def rows(self) -> NDArray[np.float64]:
        """Features (n, d)."""
        return self.table.data.features

    @cached_property
    def labels(self) -> NDArray[Any]:
        """Targets (n,), words where the table has words."""
        data = self.table.data
        if data.targets is None:
            raise ValueError("target_column must not be none: a model needs targets")
        if data.class_names:
            words: NDArray[Any] = np.asarray(data.class_names)[data.targets.astype(int)]
            return words
        return data.targets

    @cached_property
    def deletions(self) -> NDArray[np.int64]:
        """The places among the rows of those that leave.

        Rows of the table that were left out for an empty cell were never learned from.
        """
        if self.removed_where is not None:
            chosen = np.flatnonzero(rows_of_values(self.table, self.removed_where))
        else:
            assert self.removed is not None
            numbers = rows_of_numbers(self.removed, len(self.table.table))
            chosen = np.flatnonzero(np.isin(self.table.rows, numbers))
        if not 0 < len(chosen) < len(self.rows):
            raise ValueError(
                f"removed must be from 1 to {len(self.rows) - 1} of the rows that are learned "
                f"from, got {len(chosen)}"
            )
        return chosen

    @cached_property
    def test_rows(self) -> NDArray[np.int64]:
        """The places among the rows of those held out, in order: none that leaves is."""
        share = self.held_out
        if share is None:
            share = 0.0 if self.model is not None else _SHARE
        order = np.random.default_rng(self.seed).permutation(len(self.rows))
        others = order[~np.isin(order, self.deletions)]
        return np.sort(others[: min(int(share * len(self.rows)), len(others) - 1)])

    @cached_property
    def training_rows(self) -> NDArray[np.int64]:
        """The places among the rows of those learned from, in order."""
        return np.setdiff1d(np.arange(len(self.rows)), self.test_rows)

    def insist_on_rows(self) -> None:
        """Reads the table and a model of the user's; ValueError for what is wrong with them."""
        if len(self.labels) != len(self.rows) or not len(self.deletions):
            raise ValueError("data must have rows with targets, and some that leave")
        if self.model is not None:
            _ = self.model_before

    @cached_property
    def training(self) -> tuple[NDArray[np.float64], NDArray[Any]]:
        """Features and labels of the rows learned from, those that leave among them."""
        return self.rows[self.training_rows], self.labels[self.training_rows]

    @cached_property
    def test(self) -> tuple[NDArray[np.float64], NDArray[Any]] | None:
        """Features and labels of the rows held out; None without any."""
        if not len(self.test_rows):
            return None
        return self.rows[self.test_rows], self.labels[self.test_rows]

    @cached_property
    def leaving(self) -> NDArray[np.bool_]:
        """Which of the rows learned from leave."""
        mask: NDArray[np.bool_] = np.isin(self.training_rows, self.deletions)
        return mask

    @cached_property
    def model_before(self) -> Any:
        """The model before the deletion."""
        from forgetproof.deletion.models import read_model

        if self.model is not None:
            return read_model(self.model, trusted=self.trust_pickle)
        with warnings.catch_warnings():
            # Steps follow wherever its own end.
            warnings.simplefilter("ignore")
            return self._untrained().fit(*self.training)

    def _untrained(self) -> Any:
        from sklearn.linear_model import LogisticRegression, Ridge
        from sklearn.svm import LinearSVC

        if self.loss == "ridge":
            return Ridge(alpha=self.regularisation)
        if self.loss == "squared_hinge":
            return LinearSVC(C=1 / self.regularisation)
        return LogisticRegression(C=1 / self.regularisation, max_iter=1000)

    def forget(self, *, epsilon: float, delta: float, sigma: float) -> DeletionResult:
        """The model without the rows; errors as of `forgetproof.forget`."""
        from forgetproof.deletion.forgetting import forget

        result = forget(
            self.model_before,
            self.training,
            removed=self.leaving,
            epsilon=epsilon,
            delta=delta,
            sigma=sigma,
            held_out=self.test,
        )
        maps = self.table.maps
        # Which words a column has, and whether a cell of it is empty, is computed from all rows.
        of_rows = any(each.words is not None or each.marked for each in maps)
        return replace(
            result,
            columns=tuple(self._column(each) for each in maps),
            measured=(*self.table.measured, *("column_words",) * of_rows),
        )

    def _column(self, each: ColumnMap) -> dict[str, Any]:
        """What was made of a column of the table, as data.

        A word that only rows that leave hold is None, also as the name of its feature.
        """
        staying = np.delete(self.table.rows, self.deletions)
        cells = self.table.table.columns[each.column]
        names = dict(zip(each.shown, each.feature_names, strict=False))
        stays = {word: bool(cells.equal_to(word)[staying].any()) for word in each.words or ()}
        words = [word if stays[word] else None for word in each.words or ()]
        gone = {names.get(word) for word in stays if not stays[word]}
        return {
            "name": each.name,
            "low": each.low,
            "high": each.high,
            "words": None if each.words is None else words,
            "features": [None if name in gone else name for name in each.feature_names],
            "public": each.public and each.words is None and not each.marked,
        }
