"""Sampled laws against the exact ones: another engineer's route to the same numbers."""

import math
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

from simulators.data.adjacency import replaced
from simulators.data.dataset import Dataset
from simulators.domains import Ball
from simulators.exact import maps
from simulators.exact.transfer import Atoms, Grid, Step, evolve
from simulators.langevin.unlearning import learn_unlearn
from simulators.losses.huber import Huber
from simulators.losses.logistic import Logistic

FEATURES = np.array([[1.0], [0.5], [-0.8], [0.9]])
ETA, SIGMA, RADIUS, TRIALS = 1.2, 0.4, 0.7, 40_000
NOISE = math.sqrt(2 * ETA) * SIGMA


def distribution(step_maps, breaks):
    """Exact law after these projected steps from 0."""
    grid = Grid.make(RADIUS, 400, breaks)
    return evolve(Atoms.at(0.0), [Step.make(grid, psi, NOISE) for psi in step_maps])


def logistic_batches(data):
    return [
        maps.batch_map(
            [maps.logistic(data.features[i, 0], data.targets[i], 0.2) for i in rows], ETA
        )
        for rows in ([0, 1], [2, 3])
    ]


def huber_batches(data):
    return [
        maps.batch_map([maps.huber(data.targets[i], 0.3, 0.2) for i in rows], ETA)
        for rows in ([0, 1], [2, 3])
    ]


CASES = {
    "logistic": (
        Logistic(0.2), FEATURES, np.array([1.0, -1.0, 1.0, 1.0]), (-0.9, 1.0), logistic_batches, ()
    ),
    "huber": (
        Huber(0.2, threshold=0.3), np.ones((4, 1)), np.array([0.4, -0.2, 0.3, 0.5]), (1.0, -0.5),
        huber_batches, (0.1, 0.7, -0.5, 0.0, 0.6, 0.2, 0.8, -0.8, -0.2),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_projected_law_on_the_line(name):
    """Kolmogorov-Smirnov against the transfer operator, atoms included; 40,000 trials, level 1e-5.

    Power: distribution functions 0.018 apart are told apart; half the noise variance or one epoch
    on the wrong data set is more than 0.05 away.
    """
    loss, features, targets, new, batches, breaks = CASES[name]
    data = Dataset(features, targets)
    adjacent = replaced(data, 3, [new[0]], new[1])
    run = learn_unlearn(
        loss,
        data,
        adjacent,
        learn_epochs=3,
        unlearn_epochs=1,
        sigma=SIGMA,
        step_size=ETA,
        batch_size=2,
        trials=TRIALS,
        seed=8,
        domain=Ball(RADIUS),
    )
    sample = np.sort(run.unlearned[:, 0])
    law = distribution(batches(data) * 3 + batches(adjacent), breaks)
    inner = sample[np.abs(sample) < RADIUS * (1 - 1e-12)]
    points = np.concatenate([np.linspace(-RADIUS, RADIUS, 2001)[1:-1], inner[::50]])
    empirical = np.searchsorted(sample, points, side="right") / TRIALS
    distance = np.abs(empirical - law.cdf(points)).max()
    assert stats.kstwobign.sf(distance * math.sqrt(TRIALS)) > 1e-5
    low, high = np.exp(law.log_atoms())
    assert stats.binomtest((sample < -RADIUS * (1 - 1e-12)).sum(), TRIALS, low).pvalue > 1e-5
    assert stats.binomtest((sample > RADIUS * (1 - 1e-12)).sum(), TRIALS, high).pvalue > 1e-5
    assert high > 0.01
    stale = distribution(batches(data) * 4, breaks)
    assert np.abs(stale.cdf(points) - law.cdf(points)).max() > 0.05


def test_numpy_parts_do_not_import_torch():
    """Data, batches, seeds, domains and results are usable without loading torch (1 s)."""
    code = (
        "import sys, simulators, simulators.data.dataset, simulators.data.idx, "
        "simulators.data.files, simulators.data.synthetic, simulators.engine.batches, "
        "simulators.random.seeds, simulators.domains, simulators.engine.result, "
        "simulators.losses.regularisation; "
        "assert simulators.Dataset and simulators.Ball; "
        "sys.exit('torch' in sys.modules or 'sklearn' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_lazy_names():
    import simulators

    for name in simulators.__all__:
        assert getattr(simulators, name).__module__.startswith("simulators.")
    with pytest.raises(AttributeError, match="nothing"):
        _ = simulators.nothing
