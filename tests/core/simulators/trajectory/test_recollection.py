"""The store of statistics: deletion, release, repair, files."""

from pathlib import Path

import numpy as np
import pytest

from accounting.curves.gaussian import delta_gdp
from simulators.trajectory.recollection import Recollection
from simulators.trajectory.recursion import Recursion, differences
from simulators.trajectory.training import Training, batches_of, geometric_steps
from tests.equality import same_bits
from tests.forks import forked

ROOT = Path(__file__).resolve().parents[4]


def test_deleting_one_by_one_is_deleting_the_set(problems):
    problem = problems.softmax()
    store = Recollection.learn(problem.model, problem.training, record_norms=True)
    together = differences(problem.model, problem.training, [[2, 5, 9]], Recursion("batch"))
    for row in (5, 2, 9):
        point = store.forget([row])
    np.testing.assert_allclose(point, store.learned + together.vectors[0], rtol=1e-12)
    assert store.forgotten == [5, 2, 9]
    bound = store.norm_bound([2, 5, 9])
    assert bound.shape == (problem.training.length + 1,)
    single = differences(
        problem.model, problem.training, [[2, 5, 9]], Recursion("batch"), record_norms=True
    )
    assert (single.norms[0] <= bound * (1 + 1e-12)).all()
    for bad in ([5], [1, 1], [17], [-1]):
        with pytest.raises(ValueError, match="rows must be"):
            store.forget(bad)


def test_statistics_in_a_file(problems, tmp_path):
    problem = problems.logistic()
    held = Recollection.learn(problem.model, problem.training, Recursion("kept"), record_norms=True)
    store = Recollection.learn(
        problem.model,
        problem.training,
        Recursion("kept"),
        memory=400.0,
        folder=tmp_path / "store",
        record_norms=True,
    )
    assert isinstance(store.statistics, np.memmap)
    np.testing.assert_allclose(store.statistics, held.statistics, rtol=1e-11, atol=1e-15)
    store.forget([3, 4])
    store.release(0.1, 0.01, seed=0)
    store.save(tmp_path / "store")
    again = Recollection.open(tmp_path / "store")
    np.testing.assert_allclose(again.point, store.point, rtol=1e-14)
    assert (again.forgotten, again.releases) == (store.forgotten, store.releases)
    assert again.recursion == Recursion("kept")
    same_bits(again.norms, store.norms)
    again.save(tmp_path / "copy")
    same_bits(Recollection.open(tmp_path / "copy").statistics, store.statistics)
    with pytest.raises(ValueError, match="memory must be >= 736 bytes for 23 statistics"):
        Recollection.learn(problem.model, problem.training, memory=735.0)


PEAK = """
import sys
import numpy as np
import torch
from simulators.trajectory.generic import FunctionModel
from simulators.trajectory.recollection import Recollection
from simulators.trajectory.training import Training
torch.set_num_threads(1)
def learn(n, d, **options):
    ones = np.ones((n, 1))
    model = FunctionModel(lambda w, x, y: 0.5 * (w @ w) + x[0] * w.sum(), ones, ones, d)
    training = Training((np.arange(20),) * 2, np.full(2, 0.1), np.zeros(d))
    Recollection.learn(model, training, variant="products", **options)
learn(40, 1000)
def peak():
    # Not getrusage, whose maximum starts at that of another process.
    with open("/proc/self/status") as status:
        return 1024 * int(next(line for line in status if line.startswith("VmHWM")).split()[1])
before = peak()
learn(8000, 1000, memory=8e6, folder=sys.argv[1])
print(peak() - before)
learn(8000, 1000, memory=1e9)
print(peak() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read there")
def test_statistics_in_a_file_are_never_resident(tmp_path):
    """8,000 x 1,000 numbers are 64 MB; through a file, with a budget of 8 MB, far less is used."""
    done = forked(["-c", PEAK, str(tmp_path)], cwd=ROOT)
    in_file, in_memory = map(float, done.stdout.split())
    assert in_file < 40e6
    assert in_memory > 60e6


def test_releases_are_composed(problems):
    """mu = sqrt(sum (gap_j/noise_j)^2), and the noise is what it says."""
    problem = problems.logistic()
    store = Recollection.learn(problem.model, problem.training)
    with pytest.raises(ValueError, match="record_norms must have been set"):
        store.norm_bound([0])
    assert store.mu == 0.0
    assert store.delta(1.0) == 0.0
    noisy = store.release(0.5, 0.1, seed=3)
    other = store.release(0.25, 0.1, seed=4)
    assert store.mu == pytest.approx(np.hypot(0.2, 0.4), rel=1e-15)
    assert store.delta(1.0) == delta_gdp(store.mu, 1.0)
    assert store.epsilon(store.delta(0.7)) == pytest.approx(0.7, rel=1e-9)
    assert not np.array_equal(noisy, other)
    same_bits(store.point, store.learned)
    many = np.array([store.release(2.0, 0.0, seed=s) - store.point for s in range(2000)])
    assert many.std() == pytest.approx(2.0, rel=5 / np.sqrt(2 * many.size))
    assert abs(many.mean()) < 5 * 2.0 / np.sqrt(many.size)


def test_repair_is_exact_on_quadratics(problems):
    """hf.alg2: A_T is the difference of two repairs, from w~ + a^{-v} without v, and from w~."""
    problem = problems.quadratics(11, n=9, convex=True)
    store = Recollection.learn(
        problem.model, problem.training, Recursion("kept"), record_norms=True
    )
    stored = store.statistics.copy()
    store.forget([2, 6])
    start = store.release(0.3, 0.0, seed=1)
    left = np.setdiff1d(np.arange(9), [2, 6])
    batches = tuple(left[rows] for rows in batches_of(7, 3, 2, seed=5))
    training = Training(batches, geometric_steps(0.1, 0.9, len(batches)), start)
    store.repair(problem.model, training)
    repaired = training.run(problem.model).last
    np.testing.assert_allclose(store.point, repaired, rtol=1e-14)
    paper = differences(
        problem.model, training, "each", Recursion("batch"), initial=stored.copy()
    ).vectors
    for row in left:
        counterfactual = training.part(0, training.length, start + stored[row])
        exact = counterfactual.run(problem.model, [row]).last - repaired
        np.testing.assert_allclose(store.statistics[row], exact, rtol=1e-10, atol=1e-13)
        assert np.linalg.norm(paper[row] - exact) > 1e-3 * np.linalg.norm(exact)
    np.testing.assert_array_equal(store.statistics[[2, 6]], 0.0)
    assert store.norms is None
    store.forget([0])
    np.testing.assert_allclose(store.point, repaired + store.statistics[0], rtol=1e-14)
    again = Training((np.array([2, 3]),), np.array([0.1]), start)
    with pytest.raises(ValueError, match=r"batches must hold no forgotten row, got \[2\]"):
        store.repair(problem.model, again)


def test_what_is_kept_still_tells_what_was_forgotten(problems):
    """hf.forget-recollections: two points, c_u follows from the retained statistic of the other."""
    eta, T, c = 0.1, 30, np.array([0.731, -0.4])
    model = problems.points_on_a_line(c)
    training = Training((np.arange(2),) * T, np.full(T, eta), np.zeros(1))
    store = Recollection.learn(model, training)
    store.forget([0])
    rho = 1 - eta
    # a^{-v} = ((mean - c_v)(1 - rho^T) - T eta rho^(T-1) mean)/2, solved for the mean.
    grown = 1 - rho**T
    mean = (2 * store.statistics[1, 0] + c[1] * grown) / (grown - T * eta * rho ** (T - 1))
    assert 2 * mean - c[1] == pytest.approx(0.731, rel=1e-12)
