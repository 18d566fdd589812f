"""scikit-learn estimators that forget rows: `fit`, `forget(ids)`, `certificate_`.

    model = ForgettingClassifier(loss="logistic", row_bound=1.0).fit(X, y, ids=names)
    model.forget(["u17", "u204"])
    model.certificate_["mechanism"]

Noisy steps on sampled rows (`forgetproof.engine`), one loss an output: several classes are one
against the rest.  `pip install 'forgetproof[sim]'`.
"""

from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accounting.numerics import validation
from forgetproof.engine.losses import LOSSES
from forgetproof.engine.run import RecordedTraining
from forgetproof.engine.settings import EngineSettings
from forgetproof.engine.statement import run_certificate
from forgetproof.extras import missing

try:
    import torch
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ModuleNotFoundError as absent:
    raise missing(absent, "sim") from None

__all__ = ["ForgettingClassifier", "ForgettingRegressor"]


class _Forgetting(BaseEstimator):  # type: ignore[misc]
    """What classifier and regressor share.

    X enters as (x/row_bound, 1)/sqrt(2), scaled down to length 1 where it is longer, each row by
    itself; the weight of the constant is the intercept, and is shrunk like the others.
    """

    _losses: ClassVar[tuple[str, ...]] = ()
    _read_from_rows: ClassVar[tuple[str, ...]] = ()
    _closer: ClassVar[float] = 0.04  # what a step takes of the distance of two runs, by default

    # The classifier's defaults, which it has as they are.
    def __init__(
        self,
        loss: str = "logistic",
        *,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        noise: float = 1.0,
        rate: float = 0.5,
        divisor: int | None = None,
        clip: float = 1.0,
        step_size: float | None = None,
        decay: float | None = None,
        steps: int = 400,
        row_bound: float | None = None,
        random_state: Any = None,
    ) -> None:
        self.loss = loss
        self.epsilon = epsilon
        self.delta = delta
        self.noise = noise
        self.rate = rate
        self.divisor = divisor
        self.clip = clip
        self.step_size = step_size
        self.decay = decay
        self.steps = steps
        self.row_bound = row_bound
        self.random_state = random_state

    def _begin(
        self,
        X: NDArray[np.float64],
        targets: NDArray[np.float64],
        outputs: int,
        ids: Sequence[Hashable] | None,
    ) -> None:
        """Trains on rows and targets of shape (n, outputs)."""
        validation.choice("loss", self.loss, self._losses)
        # Computed from the rows where no public bound is given: the certificate says so.
        largest = float(np.linalg.norm(X, axis=1).max())
        self.row_bound_ = float(self.row_bound) if self.row_bound else max(largest, 1e-9)
        n = len(X)
        eta = self.step_size
        if eta is None:
            eta = 0.5 / LOSSES[self.loss].curvature
        decay = self._closer / eta if self.decay is None else self.decay
        divisor = max(1, min(round(self.rate * n), n)) if self.divisor is None else self.divisor
        self.settings_ = EngineSettings(
            rows=n,
            rate=self.rate,
            divisor=divisor,
            noise=self.noise,
            clip=self.clip,
            step_size=eta,
            decay=decay,
            steps=self.steps,
            loss=self.loss,
            outputs=outputs,
            epsilon=self.epsilon,
            delta=self.delta,
        )
        layer = torch.nn.Linear(X.shape[1] + 1, outputs, bias=False, dtype=torch.float64)
        torch.nn.init.zeros_(layer.weight)
        self._layer = layer
        self._run = RecordedTraining(
            self.settings_, layer, self._rows(X), targets, ids, seed=self._seed()
        )
        self._run.train()
        self._read()

    def _seed(self) -> int | None:
        if self.random_state is None:
            return None
        if hasattr(self.random_state, "randint"):
            return int(self.random_state.randint(2**31 - 1))
        return int(self.random_state)

    def _rows(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        lengths = np.linalg.norm(X, axis=1, keepdims=True) / self.row_bound_
        scaled = X / self.row_bound_ / np.maximum(lengths, 1.0)
        rows: NDArray[np.float64] = np.hstack([scaled, np.ones((len(X), 1))]) / np.sqrt(2)
        return rows

    def _read(self) -> None:
        """The weights as scikit-learn names them, for rows within the bound."""
        weights = self._layer.weight.detach().numpy() / np.sqrt(2)
        self.coef_ = weights[:, :-1] / self.row_bound_
        self.intercept_ = weights[:, -1].copy()
        self.n_iter_ = self._run.executed

    def forget(self, ids: Sequence[Hashable]) -> Any:
        """Removes rows by the fewest noisy steps on the others that reach the target.

        ids: those given to `fit`, or places 0, 1, ... of its rows.  Raises EngineRefusal for ids
        that are unknown, gone or there twice, and where no plan is cheaper than fitting anew.
        """
        check_is_fitted(self)
        self._run.forget(list(ids))
        self._read()
        return self

    def plan(self, rows: int = 1) -> Any:
        """The steps that the removal of so many more rows would take, without running them."""
        check_is_fitted(self)
        return self._run.plan(rows)

    @property
    def certificate_(self) -> dict[str, Any]:
        """What was executed, what it certifies and under which conditions, as a document.

        Raises EngineRefusal before a row has left, and with a `random_state`: whoever knows it can
        subtract the noise.
        """
        check_is_fitted(self)
        bound = [] if self.row_bound else ["row_bound"]
        return run_certificate(self._run, [*bound, *self._read_from_rows])

    def _scores(self, X: ArrayLike) -> NDArray[np.float64]:
        check_is_fitted(self)
        values = validate_data(self, X, reset=False, dtype=np.float64)
        scores: NDArray[np.float64] = self._rows(values) @ self._layer.weight.detach().numpy().T
        return scores


class ForgettingClassifier(ClassifierMixin, _Forgetting):  # type: ignore[misc]
    """A linear classifier that forgets rows; several classes are one against the rest.

    loss: "logistic", "hinge" (its corner rounded) or "squared_hinge".
    epsilon, delta: of `forget`, against fitting without the rows.
    noise: multiplier of a row's clip.  rate: chance of a row to be in a batch.
    divisor: of the sum of a batch; by default rate times the rows at `fit`, and kept from then on.
    clip: of a row's gradient, for each class.
    step_size, decay, steps: of the noisy steps; by default half of one over the curvature of the
    loss, and a decay with which a step brings two runs closer by 4 in 100.
    row_bound: a public bound on the length of rows; longer ones are scaled down.  Without it the
    longest row is taken, and the certificate says so.
    random_state: for tests; then there is no certificate.
    """

    _losses = tuple(name for name, loss in LOSSES.items() if loss.signs)
    _read_from_rows = ("classes_",)

    def fit(
        self, X: ArrayLike, y: ArrayLike, ids: Sequence[Hashable] | None = None
    ) -> "ForgettingClassifier":
        """Trains on the rows of X and their classes; ids: names for `forget`, one a row."""
        rows, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        check_classification_targets(y)
        self.classes_, place = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("y must have two classes at least, got 1 class")
        several = len(self.classes_) > 2
        columns = np.arange(len(self.classes_)) if several else np.array([1])
        targets = np.where(place[:, None] == columns, 1.0, -1.0)
        self._begin(rows, targets, len(columns), ids)
        return self

    def decision_function(self, X: ArrayLike) -> NDArray[np.float64]:
        """Predictions, one a class; for two classes that of the second alone."""
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The class with the largest prediction."""
        scores = self.decision_function(X)
        places = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        labels: NDArray[Any] = self.classes_[places]
        return labels


class ForgettingRegressor(RegressorMixin, _Forgetting):  # type: ignore[misc]
    """A linear regressor that forgets rows: ridge with clipped residuals, or Huber's.

    loss: "squares" (with the decay: ridge) or "huber".  Targets and residuals are in units of
    `clip`: a residual beyond it counts as if it were at it.  By default a step brings two runs
    closer by 1 in 100.  All else as in `ForgettingClassifier`.
    """

    _losses = tuple(name for name, loss in LOSSES.items() if not loss.signs)
    _closer = 0.01

    def __init__(
        self,
        loss: str = "squares",
        *,
        epsilon: float = 1.0,
        delta: float = 1e-5,
        noise: float = 0.5,
        rate: float = 0.5,
        divisor: int | None = None,
        clip: float = 1.0,
        step_size: float | None = None,
        decay: float | None = None,
        steps: int = 1500,
        row_bound: float | None = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            loss,
            epsilon=epsilon,
            delta=delta,
            noise=noise,
            rate=rate,
            divisor=divisor,
            clip=clip,
            step_size=step_size,
            decay=decay,
            steps=steps,
            row_bound=row_bound,
            random_state=random_state,
        )

    def fit(
        self, X: ArrayLike, y: ArrayLike, ids: Sequence[Hashable] | None = None
    ) -> "ForgettingRegressor":
        """Trains on the rows of X and their numbers; ids: names for `forget`, one a row."""
        rows, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2, y_numeric=True)
        self._begin(rows, np.asarray(y, dtype=np.float64)[:, None], 1, ids)
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """The predictions."""
        scores: NDArray[np.float64] = self._scores(X)[:, 0]
        return scores
