"""What the rows of a stream show in cells of one column: the steps of Theorem 1's proof."""

from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.publication_run import PublicationRun
from verify.safe.views.cell_table import CellTable

MODELS = np.array([0.5, 0.02, 0.98])  # f_0(x; w) of the models at which risks are compared
DRAWS = (4, 16, 64)  # of a sum


class Deletion(NamedTuple):
    """Half of a class leaves a cell: the table after it, and two targets at the cell (2,).

    shifted: q f(w_0), not normalised.  retrained: f(w_t*).
    """

    after: np.ndarray
    shifted: np.ndarray
    retrained: np.ndarray


class CellShares(View, of=PublicationRun):
    """Observables of class shares; the classes are the first one and the others."""

    run: PublicationRun

    @cached_property
    def cells(self) -> CellTable:
        """The table of the training rows."""
        train = self.run.problem.train
        try:
            return CellTable(train.features, (train.targets > train.targets.min()).astype(int))
        except ValueError as why:
            raise NotMeasured(str(why)) from None

    @cached_property
    def _deletions(self) -> list[Deletion]:
        """One of every cell and class, classes inside."""
        deletions = []
        for cell, label in product(range(len(self.cells.table)), (0, 1)):
            after = self.cells.without(cell, label)
            deletions.append(Deletion(after, *self.cells.shifted(after, cell)))
        return deletions

    @property
    def _targets(self) -> tuple[np.ndarray, np.ndarray]:
        """q f(w_0) and f(w_t*) of all deletions and both classes, one after the other."""
        shifted = np.concatenate([each.shifted for each in self._deletions])
        return shifted, np.concatenate([each.retrained for each in self._deletions])

    def _counts(self, repeated: int) -> dict[str, Any]:
        """Rows that left and that stayed, `repeated` times each."""
        total = int(self.cells.table.sum())
        stayed = np.repeat([int(each.after.sum()) for each in self._deletions], repeated)
        return {"M": total - stayed, "kept": stayed, "classes": 2}

    @staticmethod
    def _of_rows(values: Any, **at: Any) -> Observable:
        """Of the rows in cells: counts, and no model that was trained."""
        return Observable(np.array(values), at=at, basis="rows", rounding=1e-12)

    @observable
    def surrogate_gap(self) -> Observable:
        """|R~_t(w) - R_t(w)| at three models, half of a cell's rows of one class deleted."""
        gaps, oscillations = [], []
        for _, a, b in self._deletions:
            e = np.log(a) - np.log(b)
            # Two divergences from f differ by a mean under f: its own entropy cancels.
            target = a / a.sum()
            shift = np.log(b) - np.log(target)
            gaps += [abs(float(f * shift[0] + (1 - f) * shift[1])) for f in MODELS]
            oscillations += [float(np.ptp(e))] * len(MODELS)
        counts = self._counts(len(MODELS))
        return self._of_rows(gaps, **counts, oscillation=np.array(oscillations), lam=1.0)

    @observable
    def log_difference(self) -> Observable:
        """|log q f(w_0) - log f(w_t*)| of both classes where half of a cell's rows left."""
        a, b = self._targets
        return self._of_rows(np.abs(np.log(a) - np.log(b)), a=a, b=b)

    @observable
    def small_log_difference(self) -> Observable:
        """The same where both are at most 1."""
        a, b = self._targets
        inside = (a <= 1) & (b <= 1)
        logs = np.abs(np.log(a) - np.log(b))
        return self._of_rows(logs[inside], a=a[inside], b=b[inside])

    @observable
    def last_term(self) -> Observable:
        """The last term of the proof at f(w) = .98, where |q f(w_0) - f(w_t*)| is small enough."""
        terms, rows = [], []
        for after, a, b in self._deletions:
            stayed = int(after.sum())
            near = np.abs(a - b) <= 2 / np.sqrt(stayed)
            terms += (0.98 * np.abs(a - b) / (a * b))[near].tolist()
            rows += [stayed] * int(near.sum())
        if not terms:
            raise NotMeasured("the targets are farther off")
        return self._of_rows(terms, kept=np.array(rows), classes=2)

    @observable
    def floored_term(self) -> Observable:
        """The last term of the proof at f(w) = .98."""
        a, b = self._targets
        apart, low = np.abs(a - b), np.minimum(a, b)
        return self._of_rows(0.98 * apart / (a * b), error=apart, floor=low)

    @observable
    def density_error(self) -> Observable:
        """Error of a fitted log-density at every cell, half of a cell's rows of a class gone."""
        mean, deviation = self.cells.moments(self.cells.table)
        rows: list[tuple[float, ...]] = []
        for k, deletion in enumerate(self._deletions):
            label = k % 2
            m, s = float(mean[label]), float(deviation[label])
            new = self.cells.moments(deletion.after)
            m2, s2 = float(new[0][label]), float(new[1][label])
            u = (self.cells.values - m) / s
            error = np.abs(-(u**2) / 2 + ((self.cells.values - m2) / s2) ** 2 / 2 + np.log(s2 / s))
            rows += [(*row, (m2 - m) / s, s2 / s) for row in zip(error, u, strict=True)]
        errors, u, a, r = np.array(rows).T
        return self._of_rows(errors, u=u, a=a, r=r)

    @observable
    def fit_distance(self) -> Observable:
        """Distance of a class's column, in cells, from its normal fit."""
        distances = [self.cells.fit_distance(label) for label in (0, 1)]
        return self._of_rows(distances, kept=self.cells.table.sum(axis=0))

    @observable
    def sum_distance(self) -> Observable:
        """Distance of sums of 4, 16 and 64 draws of a class's column from the normal law."""
        pairs = list(product((0, 1), DRAWS))
        sums = np.array([self.cells.sum_distance(label, n) for label, n in pairs])
        distances, third = sums.T
        sizes = np.array([n for _, n in pairs])
        return self._of_rows(distances, n=sizes, rho=third, third=third, d=1)
