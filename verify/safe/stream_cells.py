"""What the rows of a stream show in cells of one column: the steps of Theorem 1's proof."""

from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from simulators.experiment import NotMeasured, Observable, observable
from simulators.experiments.cells import Cells as Table
from verify.safe.streamed import Streamed

MODELS = np.array([0.5, 0.02, 0.98])  # f_0(x; w) of the models at which risks are compared


class Cells(Streamed):
    """Observables of class shares; the classes are the first one and the others."""

    @cached_property
    def cells(self) -> Any:
        """The table of the training rows."""
        train = self.problem.train
        try:
            return Table(train.features, (train.targets > train.targets.min()).astype(int))
        except ValueError as why:
            raise NotMeasured(str(why)) from None

    @cached_property
    def _deleted(self) -> list[tuple[int, np.ndarray, np.ndarray, np.ndarray]]:
        """The cell, the table without half of a class there, q f(w_0) and f(w_t*)."""
        table, found = self.cells.table, []
        for cell, label in product(range(len(table)), (0, 1)):
            after = self.cells.without(cell, label)
            found.append((cell, after, *self.cells.shifted(after, cell)))
        return found

    def _counts(self, repeated: int) -> dict[str, Any]:
        """Rows that left and that stayed, `repeated` times each."""
        total, kept = int(self.cells.table.sum()), [int(a.sum()) for _, a, _, _ in self._deleted]
        stayed = np.repeat(kept, repeated)
        return {"M": total - stayed, "kept": stayed, "classes": 2}

    @staticmethod
    def _of_rows(values: Any, **at: Any) -> Observable:
        """Of the rows in cells: counts, and no model that was trained."""
        return Observable(np.array(values), at=at, basis="rows", rounding=1e-12)

    @observable
    def surrogate_gap(self) -> Observable:
        """|R~_t(w) - R_t(w)| at three models, half of a cell's rows of one class deleted."""
        gaps, most = [], []
        for _, _, a, b in self._deleted:
            e = np.log(a) - np.log(b)
            target = a / a.sum()
            shift = np.log(b) - np.log(target)
            gaps += [abs(float(f * shift[0] + (1 - f) * shift[1])) for f in MODELS]
            most += [float(np.ptp(e))] * len(MODELS)
        return self._of_rows(gaps, **self._counts(len(MODELS)), oscillation=np.array(most), lam=1.0)

    @observable
    def log_difference(self) -> Observable:
        """|log q f(w_0) - log f(w_t*)| of both classes where half of a cell's rows left."""
        a, b = (np.concatenate([entry[k] for entry in self._deleted]) for k in (2, 3))
        return self._of_rows(np.abs(np.log(a) - np.log(b)), a=a, b=b)

    @observable
    def small_log_difference(self) -> Observable:
        """The same where both are at most 1."""
        found = self.log_difference()
        a, b = (np.asarray(found.at[name]) for name in ("a", "b"))
        inside = (a <= 1) & (b <= 1)
        return self._of_rows(np.asarray(found.values)[inside], a=a[inside], b=b[inside])

    @observable
    def last_term(self) -> Observable:
        """The last term of the proof at f(w) = .98, where |q f(w_0) - f(w_t*)| is small enough."""
        counts, terms, kept = self._counts(1), [], []
        for (_, _, a, b), stayed in zip(self._deleted, counts["kept"], strict=True):
            near = np.abs(a - b) <= 2 / np.sqrt(stayed)
            terms += (0.98 * np.abs(a - b) / (a * b))[near].tolist()
            kept += [int(stayed)] * int(near.sum())
        if not terms:
            raise NotMeasured("the targets are farther off")
        return self._of_rows(terms, kept=np.array(kept), classes=2)

    @observable
    def floored_term(self) -> Observable:
        """The last term of the proof at f(w) = .98."""
        a, b = (np.concatenate([entry[k] for entry in self._deleted]) for k in (2, 3))
        apart, low = np.abs(a - b), np.minimum(a, b)
        return self._of_rows(0.98 * apart / (a * b), error=apart, floor=low)

    @observable
    def density_error(self) -> Observable:
        """Error of a fitted log-density at every cell, half of a cell's rows of a class gone."""
        old, found = self.cells.moments(self.cells.table), []
        for (_, after, _, _), label in zip(self._deleted, (0, 1) * 99, strict=False):
            new = self.cells.moments(after)
            m, s, m2, s2 = (float(part[label]) for part in (*old, *new))
            u = (self.cells.values - m) / s
            error = np.abs(-(u**2) / 2 + ((self.cells.values - m2) / s2) ** 2 / 2 + np.log(s2 / s))
            found += [(*row, (m2 - m) / s, s2 / s) for row in zip(error, u, strict=True)]
        errors, u, a, r = np.array(found).T
        return self._of_rows(errors, u=u, a=a, r=r)

    @observable
    def fit_distance(self) -> Observable:
        """Distance of a class's column, in cells, from its normal fit."""
        found = [self.cells.fit_distance(label) for label in (0, 1)]
        return self._of_rows(found, kept=self.cells.table.sum(axis=0))

    @observable
    def sum_distance(self) -> Observable:
        """Distance of sums of 4, 16 and 64 draws of a class's column from the normal law."""
        sizes, labels = np.array([4, 16, 64] * 2), [0] * 3 + [1] * 3
        both = zip(labels, sizes.tolist(), strict=True)
        found = np.array([self.cells.sum_distance(label, n) for label, n in both])
        return self._of_rows(found[:, 0], n=sizes, rho=found[:, 1], third=found[:, 1], d=1)
