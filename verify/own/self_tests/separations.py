"""mu of runs on a handful of rows, by loops over the batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from verify.own.views.separations import Separations
from verify.self_tests import Equality
from verify.sglu.self_tests.langevin_runs import MADE, SHAPES, MeanByHand, viewed


def equalities() -> Iterator[Equality]:
    """The mean family in three shapes, and limits on digits."""
    for shape in SHAPES:
        run = viewed(Separations, **MADE, **shape)
        hand = MeanByHand(run)
        expected = {
            "aligned_mu": hand.aligned_mu,
            "stationary_mu": hand.stationary_mu(hand.K),
            "same_maps_mu": hand.same_maps_mu,
            "sequence_mu": hand.sequence[1],
        }
        for name, mu in expected.items():
            yield Equality(f"{name} of {hand.J} batches", run[name].values, mu, 1e-9)
    settings: dict[str, Any] = {"rows": 60, "batch_size": 20, "regularisation": 0.2, "radius": 1.0}
    run = viewed(Separations, **settings, sigma=0.01, trials=64, learn_epochs=1)
    limits = [run[name].values for name in ("aligned_mu", "retrained_mu")]
    yield Equality("limits of laws that 64 trials do not tell apart", limits, np.zeros(2))
