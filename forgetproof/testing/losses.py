"""Hypothesis strategy of losses with certified constants, on a few rows; numpy in, numpy out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from forgetproof.ours import inside_ours

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from simulators.data.dataset import Dataset
    from simulators.losses.base import Loss

Array = NDArray[np.float64]
ENTRIES = (0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 0.1, -3.0)


@dataclass(frozen=True, eq=False)
class SampleLoss:
    """The mean of one loss over the rows of a small data set.

    Attributes:
        loss, data: of `simulators`.
        strong_convexity, smoothness: m and L of every row, hence of the mean.
    """

    loss: Loss
    data: Dataset
    strong_convexity: float
    smoothness: float

    @property
    def dimension(self) -> int:
        return self.data.dimension

    @inside_ours
    def value(self, x: ArrayLike) -> float:
        """At a point (d,)."""
        return float(self.loss.value(self._point(x), self.data).mean())

    @inside_ours
    def gradient(self, x: ArrayLike) -> Array:
        """At a point (d,), shape (d,)."""
        return self.loss.mean_gradient(self._point(x), self.data)[0].numpy()

    def _point(self, x: ArrayLike) -> Any:
        import torch

        from accounting.numerics import validation

        point = validation.real("x", x, low_open=True, high_open=True)
        if point.shape != (self.dimension,):
            raise ValueError(f"x must have shape ({self.dimension},), got {point.shape}")
        return torch.from_numpy(point.copy())[None]

    def __repr__(self) -> str:
        values = {f.name: getattr(self.loss, f.name) for f in fields(self.loss)}  # type: ignore[arg-type]
        options = [f"{k}={np.asarray(v).tolist()}" for k, v in values.items() if v is not None]
        rows = f"rows={self.data.features.tolist()}"
        targets = [] if self.data.targets is None else [f"targets={self.data.targets.tolist()}"]
        return f"{type(self.loss).__name__}({', '.join([*options, rows, *targets])})"


@inside_ours
def losses(
    *, dimension: int | None = None, strongly_convex: bool | None = None
) -> SearchStrategy[SampleLoss]:
    """Quadratic, ridge, logistic, log-cosh, Huber and smoothed hinge losses on one to four rows.

    Args:
        dimension: of the parameters, >= 1; from 1 to 3 if left out.
        strongly_convex: True: strong_convexity > 0; False: 0; either if left out.

    They shrink to a quadratic on one row. Raises ValueError for bad arguments.
    """
    from hypothesis import strategies as st

    from accounting.numerics import validation
    from simulators.data.dataset import Dataset
    from simulators.losses.hinge import SmoothedHinge
    from simulators.losses.huber import Huber
    from simulators.losses.logcosh import LogCosh
    from simulators.losses.logistic import Logistic
    from simulators.losses.quadratic import Quadratic
    from simulators.losses.ridge import Ridge

    if dimension is not None:
        dimension = validation.count("dimension", dimension, low=1)
    if not (strongly_convex is None or isinstance(strongly_convex, bool)):
        raise ValueError(f"strongly_convex must be True, False or None, got {strongly_convex!r}")
    curved = [1.0, 0.5, 0.1, 0.01] if strongly_convex is not False else []
    flat = [0.0] if strongly_convex is not True else []
    linear = (Ridge, LogCosh, Huber, Logistic, SmoothedHinge)
    # A quadratic without curvature has a constant gradient.
    kinds = linear if strongly_convex is False else (Quadratic, *linear)

    @st.composite
    def drawn(draw: Callable[..., Any]) -> SampleLoss:
        kind = draw(st.sampled_from(kinds))
        d = draw(st.integers(1, 3)) if dimension is None else dimension
        n = draw(st.integers(1, 4))
        strength = st.sampled_from(curved + flat)
        entries = st.lists(st.sampled_from(ENTRIES), min_size=d, max_size=d)
        rows = draw(st.lists(entries, min_size=n, max_size=n))
        loss: Loss
        if kind is Quadratic:
            curvature = np.array(draw(st.lists(strength, min_size=d, max_size=d)))
            loss, targets = Quadratic(curvature), None
        else:
            loss = kind(draw(strength))
            signs = kind in (Logistic, SmoothedHinge)
            target = st.sampled_from((1.0, -1.0) if signs else ENTRIES)
            targets = np.array(draw(st.lists(target, min_size=n, max_size=n)))
        data = Dataset(np.array(rows), targets)
        constants = loss.constants(data)
        return SampleLoss(loss, data, constants.strong_convexity, constants.smoothness)

    return drawn().filter(lambda loss: loss.smoothness > 0)
