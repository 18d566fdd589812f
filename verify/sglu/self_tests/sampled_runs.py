"""What samples tell of unlearning: laws that are known, and some that are not told apart."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import ndtr

from verify.self_tests import Equality
from verify.sglu.self_tests.langevin_runs import MADE, SHAPES, MeanByHand, viewed
from verify.sglu.views.samples import SampledLaws


def equalities() -> Iterator[Equality]:
    """Exact divergences of means, limits on digits, and the fit of a sample to its law."""
    for shape in SHAPES:
        run = viewed(SampledLaws, **MADE, **shape)
        mu = MeanByHand(run).aligned_mu
        yield Equality("aligned_renyi", run["aligned_renyi"].values, mu**2, 1e-9)
    yield from _limits()
    yield from _fit()


def _limits() -> Iterator[Equality]:
    settings: dict[str, Any] = {"rows": 60, "batch_size": 20, "regularisation": 0.2, "radius": 1.0}
    run = viewed(SampledLaws, **settings, sigma=0.01, trials=64, learn_epochs=1)
    limits = [run[name].values for name in ("aligned_renyi", "retrained_renyi")]
    yield Equality("limits of laws that 64 trials do not tell apart", limits, np.zeros(2))


def _fit() -> Iterator[Equality]:
    """The sample against its law in four batches, by the definition of the distance."""
    run = viewed(SampledLaws, **MADE, batch_size=3)
    hand = MeanByHand(run)
    mean = hand.after(hand.zero, hand.rows[0], hand.T)
    mean = hand.after(mean, hand.rows[1], hand.K)
    spread = math.sqrt(hand.variance(4 * (hand.T + hand.K)))
    z = np.sort(((np.asarray(run.result.unlearned) - mean) / spread).ravel())
    n = z.size
    counts = np.array([np.arange(n), np.arange(n) + 1])
    off = np.abs(ndtr(z)[:, None] - counts.T / n).max()
    fit = run["law_off"]
    yield Equality("how far samples are off", fit.values, off, 1e-9)
    yield Equality("their room", 2 * math.exp(-2 * n * fit.at["allowed"] ** 2), 1e-10, 1e-9)
