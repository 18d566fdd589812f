"""Algorithm 1 against a plain loop, exact Gaussian moments, counts, and reproducibility."""

import math

import numpy as np
import pytest
import torch
from scipy import stats

from simulators.data.adjacency import replaced
from simulators.data.dataset import Dataset
from simulators.data.synthetic import points, two_gaussians, worst_pair
from simulators.domains import Ball, Box
from simulators.engine import noisy_descent
from simulators.engine.blocks import ALONE, SMALLEST
from simulators.engine.initial import gaussian
from simulators.langevin.retraining import retrain
from simulators.langevin.unlearning import langevin_unlearning, learn_unlearn, requests
from simulators.losses.logistic import Logistic
from simulators.losses.quadratic import Quadratic, linear
from simulators.losses.softmax import Softmax
from simulators.random.normals import Normals, numbers
from simulators.random.seeds import Purpose, key
from tests.equality import same_bits

DATA = two_gaussians(12, 3, seed=1).normalised()
NEXT = replaced(DATA, 9, [0.6, 0.0, -0.8], 1.0)
COMMON = {"sigma": 0.3, "step_size": 0.7, "batch_size": 4, "trials": 5, "seed": 9}


def loop(data_per_step, batches, *, clip, regularisation, step, sigma, radius, noise):
    """Algorithm 1 for one trial, written out sample by sample."""
    x = np.zeros(3)
    for k, data in enumerate(data_per_step):
        total = np.zeros(3)
        for row in batches[k % len(batches)]:
            a, y = data.features[row], data.targets[row]
            gradient = (1 / (1 + math.exp(-y * (a @ x))) - 1) * y * a
            total += gradient * min(1.0, clip / np.linalg.norm(gradient))
            total += regularisation * x
        x = x - step * total / len(batches[0]) + math.sqrt(2 * step) * sigma * noise[k]
        x = x * min(1.0, radius / np.linalg.norm(x))
    return x


@pytest.mark.parametrize("order", ["fixed", "random", "given"])
def test_algorithm_1_step_by_step(order):
    rows = np.random.default_rng(4).permutation(12) if order == "given" else order
    run = learn_unlearn(
        Logistic(0.1, clip=0.3),
        DATA,
        NEXT,
        learn_epochs=3,
        unlearn_epochs=2,
        domain=Ball(0.9),
        block=8,
        batch_order=rows,
        **COMMON,
    )
    if order == "random":
        from simulators.engine.batches import partition

        batches = partition(12, 4, "random", seed=9)
        assert sorted(batches.ravel()) == list(range(12))
        assert batches.ravel().tolist() != list(range(12))
    else:
        batches = (np.arange(12) if order == "fixed" else rows).reshape(3, 4)
    noise = numbers(key(9, 0, Purpose.NOISE), (3, 8), 0, range(15), np.float64)
    for trial in range(5):
        settings = {
            "clip": 0.3,
            "regularisation": 0.1,
            "step": 0.7,
            "sigma": 0.3,
            "radius": 0.9,
            "noise": noise[:, :, trial],
        }
        assert loop([DATA] * 9, batches, **settings) == pytest.approx(run.learned[trial], rel=1e-9)
        expected = loop([DATA] * 9 + [NEXT] * 6, batches, **settings)
        assert expected == pytest.approx(run.unlearned[trial], rel=1e-9)


def chi2_level(value, freedom):
    return min(stats.chi2.sf(value, freedom), stats.chi2.cdf(value, freedom))


@pytest.mark.parametrize("batch_size", [2, 6])
def test_exact_gaussian_moments(batch_size):
    """Quadratic losses: mean and covariance are known.  30,000 trials, levels 1e-5.

    Power: variance eta sigma^2 for 2 eta sigma^2, or one step too many, is 50 s.d. away; a noise
    1 % too small is 2.5 s.d. away per coordinate.
    """
    curvature = np.array([0.3, 0.9, 1.6])
    data = points(6, 3, seed=3)
    adjacent = replaced(data, 4, -data.features[4])
    eta, sigma, trials = 0.8, 0.5, 30_000
    run = learn_unlearn(
        Quadratic(curvature),
        data,
        adjacent,
        learn_epochs=3,
        unlearn_epochs=1,
        sigma=sigma,
        step_size=eta,
        batch_size=batch_size,
        trials=trials,
        seed=1,
        retrain="T+K",
    )
    batches = 6 // batch_size

    def law(sets):
        mean, variance = np.zeros(3), np.zeros(3)
        for k in range(len(sets) * batches):
            j = k % batches
            rows = sets[k // batches].features[j * batch_size : (j + 1) * batch_size]
            mean = (1 - eta * curvature) * mean + eta * rows.mean(axis=0)
            variance = (1 - eta * curvature) ** 2 * variance + 2 * eta * sigma**2
        return mean, variance

    for name, sets in {
        "learned": [data] * 3,
        "unlearned": [data] * 3 + [adjacent],
        "retrained": [adjacent] * 4,
    }.items():
        mean, variance = law(sets)
        sample_mean, sample_cov = run.moments(name)
        shift = trials * ((sample_mean - mean) ** 2 / variance).sum()
        assert stats.chi2.sf(shift, 3) > 1e-5
        for i in range(3):
            spread = (trials - 1) * sample_cov[i, i] / variance[i]
            assert chi2_level(spread, trials - 1) > 1e-5
        correlation = sample_cov / np.sqrt(np.outer(variance, variance))
        assert np.abs(correlation[np.triu_indices(3, 1)]).max() < 5 / math.sqrt(trials)


def test_retraining_is_independent_of_unlearning():
    """Their sample correlation is that of independent numbers (|r| sqrt n < 5)."""
    data, adjacent = worst_pair(4, 1, bound=1.0, batch_size=2)
    run = learn_unlearn(
        Quadratic(0.5),
        data,
        adjacent,
        learn_epochs=2,
        unlearn_epochs=1,
        sigma=1.0,
        step_size=0.5,
        batch_size=2,
        trials=5000,
        seed=0,
        retrain="T+K",
    )
    correlation = np.corrcoef(run.unlearned[:, 0], run.retrained[:, 0])[0, 1]
    assert abs(correlation) * math.sqrt(5000) < 5


LABELS = Dataset(DATA.features, np.arange(12) % 3)
CASES = {
    "logistic": (Logistic(0.1), DATA, NEXT),
    "softmax": (Softmax(3, 0.1), LABELS, replaced(LABELS, 2, [1.0, 0.0, 0.0], 1.0)),
    "quadratic": (Quadratic(0.5), points(12, 3), points(12, 3, seed=1)),
}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("block", [32, None])
@pytest.mark.parametrize("case", CASES)
def test_fewer_trials_are_a_prefix(case, block, dtype):
    """Bit for bit: 100 trials equal the first 100 of 1,000, whatever the memory at hand."""
    loss, data, adjacent = CASES[case]
    settings = {
        **COMMON,
        "learn_epochs": 2,
        "unlearn_epochs": 1,
        "domain": Ball(2.0),
        "dtype": dtype,
        "retrain": "T",
        "initial": gaussian(0.5),
        "block": block,
    }
    long = learn_unlearn(loss, data, adjacent, **{**settings, "trials": 1000})
    short = learn_unlearn(loss, data, adjacent, **{**settings, "trials": 100}, memory=4e6)
    for name in ("learned", "unlearned", "retrained"):
        same_bits(getattr(long, name)[:100], getattr(short, name), name)
    assert long.learned.dtype == dtype
    flat = long.learned.reshape(1000, -1)
    assert len(np.unique(flat, axis=0)) == 1000


@pytest.mark.parametrize("case", CASES)
def test_few_trials_are_one_narrow_block(case, monkeypatch):
    """Bit for bit the first of ALONE trials, and of more but for the last digits of products.

    Noise is made for trials that exist, not for the columns beside them.
    """
    loss, data, adjacent = CASES[case]
    settings = {**COMMON, "learn_epochs": 2, "unlearn_epochs": 1, "domain": Ball(0.9)}
    widths, sizes = [], []
    cut = noisy_descent.blocks

    def counted(*trials, **more):
        found = cut(*trials, **more)
        sizes.append(found.size)
        return found

    class Counted(Normals):
        def __init__(self, stamp, shape, *rest):
            widths.append(shape[-1])
            super().__init__(stamp, shape, *rest)

    monkeypatch.setattr(noisy_descent, "Normals", Counted)
    monkeypatch.setattr(noisy_descent, "blocks", counted)
    runs = {
        trials: learn_unlearn(loss, data, adjacent, **{**settings, "trials": trials}).unlearned
        for trials in (1, 5, ALONE, ALONE + 1)
    }
    assert widths == [1, 5, ALONE, ALONE + 1]
    assert sizes[:3] == [ALONE] * 3
    assert sizes[3] >= SMALLEST
    for trials in (1, 5):
        same_bits(runs[ALONE][:trials], runs[trials], f"{trials} trials")
    assert np.abs(runs[ALONE + 1][:ALONE] - runs[ALONE]).max() < 1e-13


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_threads_do_not_change_the_numbers(dtype):
    """Bit for bit, with fewer blocks than threads and with more."""
    settings = {
        **COMMON,
        "trials": 100,
        "block": 16,
        "learn_epochs": 9,
        "unlearn_epochs": 2,
        "domain": Ball(0.9),
        "dtype": dtype,
        "retrain": "T",
    }
    alone = learn_unlearn(Logistic(0.1), DATA, NEXT, **settings)
    for threads in (2, 9):
        run = learn_unlearn(Logistic(0.1), DATA, NEXT, **settings, threads=threads)
        for name in ("learned", "unlearned", "retrained"):
            same_bits(getattr(run, name), getattr(alone, name), name)
    with pytest.raises(ValueError, match=r"memory must be >= \d+ bytes for 7 blocks at a time"):
        learn_unlearn(Logistic(0.1), DATA, NEXT, **settings, threads=9, memory=1e6)


def test_threads_stop_together():
    """The first block's error, in the caller's thread; the others end with their epoch."""
    settings = {**COMMON, "trials": 64, "block": 8, "learn_epochs": 50, "unlearn_epochs": 1}
    calls = []

    def stop(done, total):
        calls.append((done, total))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn_unlearn(Logistic(0.1), DATA, NEXT, **settings, threads=2, progress=stop)
    assert all(total == 8 * 153 for _, total in calls)
    with pytest.raises(ValueError, match="step_size and sigma must be small enough"):
        learn_unlearn(Logistic(0.5), DATA, NEXT, **{**settings, "step_size": 1e200}, threads=2)
    told = []
    learn_unlearn(
        Logistic(0.1),
        DATA,
        NEXT,
        **settings,
        threads=2,
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(3 * k, 8 * 153) for k in range(1, 8 * 51 + 1)]


def test_blocks_change_the_last_digits_only():
    settings = {**COMMON, "trials": 50, "learn_epochs": 3, "unlearn_epochs": 2}
    for loss, data, adjacent in CASES.values():
        runs = [learn_unlearn(loss, data, adjacent, **settings, block=b) for b in (1, 7, 64)]
        for run in runs[1:]:
            assert np.abs(run.unlearned - runs[0].unlearned).max() < 1e-13


def test_given_starts_follow_their_trials():
    starts = np.arange(60.0).reshape(20, 3)
    run = learn_unlearn(
        Logistic(0.1),
        DATA,
        NEXT,
        **{**COMMON, "trials": 20},
        learn_epochs=0,
        unlearn_epochs=0,
        initial=starts,
        block=8,
    )
    assert (run.learned == starts).all()


def test_moments_are_numpys():
    run = learn_unlearn(
        Logistic(0.1), DATA, NEXT, **COMMON, learn_epochs=1, unlearn_epochs=1, dtype="float32"
    )
    mean, covariance = run.moments("learned")
    values = run.learned.astype(np.float64)
    assert mean == pytest.approx(values.mean(axis=0), rel=1e-14)
    assert covariance == pytest.approx(np.cov(values.T), rel=1e-12)
    with pytest.raises(ValueError, match="name must be one of"):
        run.moments("forgotten")
    with pytest.raises(ValueError, match="name must be iterates the run has"):
        run.moments("retrained")


def test_seed_and_claim_change_the_noise():
    settings = {**COMMON, "learn_epochs": 1, "unlearn_epochs": 1}
    base = learn_unlearn(Logistic(0.1), DATA, NEXT, **settings).learned
    same_bits(base, learn_unlearn(Logistic(0.1), DATA, NEXT, **settings).learned)
    other = learn_unlearn(Logistic(0.1), DATA, NEXT, **{**settings, "seed": 10}).learned
    claim = learn_unlearn(Logistic(0.1), DATA, NEXT, **settings, claim=1).learned
    assert (base != other).all()
    assert (base != claim).all()


class Counting(Logistic):
    """Counts the rows whose gradients are computed."""

    rows = 0

    def descend_(self, state, batch, step_size, scratch):
        type(self).rows += len(batch.rows)
        super().descend_(state, batch, step_size, scratch)


def test_gradient_evaluations_are_what_is_billed():
    """T n + K n per trial, and that is what the loss has really been asked for (no K + 1)."""
    Counting.rows = 0
    run = learn_unlearn(
        Counting(0.1), DATA, NEXT, **COMMON, learn_epochs=3, unlearn_epochs=2, retrain="T+K"
    )
    assert run.gradient_evaluations == {"learn": 36, "unlearn": 24, "retrain": 60}
    assert run.steps == {"learn": 9, "unlearn": 6, "retrain": 15}
    assert Counting.rows == 120
    none = learn_unlearn(Logistic(0.1), DATA, NEXT, **COMMON, learn_epochs=0, unlearn_epochs=0)
    assert none.gradient_evaluations == {"learn": 0, "unlearn": 0}
    assert (none.learned == 0).all()
    assert (none.unlearned == 0).all()


def test_requests_continue_one_another():
    """One request equals learn_unlearn; the second starts where the first ended."""
    third = replaced(NEXT, [0, 5], np.eye(3)[:2], [1.0, -1.0])
    settings = {**COMMON, "learn_epochs": 2}
    chain = requests(Logistic(0.1), DATA, [NEXT, third], unlearn_epochs=[1, 2], **settings)
    single = learn_unlearn(Logistic(0.1), DATA, NEXT, unlearn_epochs=1, **settings)
    same_bits(chain.requests[0], single.unlearned)
    assert (chain.unlearned == chain.requests[1]).all()
    assert chain.gradient_evaluations == {"learn": 24, "request 1": 12, "request 2": 24}
    assert chain.settings["batch_positions"] == [[2], [0, 1]]
    with pytest.raises(ValueError, match="one entry per request"):
        requests(Logistic(0.1), DATA, [NEXT], unlearn_epochs=[1, 2], **settings)


def test_full_batch_is_langevin_unlearning():
    settings = {**COMMON}
    del settings["batch_size"]
    run = langevin_unlearning(Logistic(0.1), DATA, NEXT, learn_steps=4, unlearn_steps=2, **settings)
    assert run.steps == {"learn": 4, "unlearn": 2}
    assert run.settings["batches_per_epoch"] == 1
    with pytest.raises(ValueError, match="batch_size must be n = 12"):
        langevin_unlearning(Logistic(0.1), DATA, NEXT, learn_steps=1, unlearn_steps=1, **COMMON)


def test_retrain_matches_learn_unlearn():
    run = learn_unlearn(
        Logistic(0.1), DATA, NEXT, **COMMON, learn_epochs=2, unlearn_epochs=1, retrain=True
    )
    alone = retrain(Logistic(0.1), NEXT, retrain_epochs=2, **COMMON)
    same_bits(run.retrained, alone.retrained)
    assert alone.learned is None


def test_starts_are_projected_and_iterates_stay_inside():
    start = np.full((5, 3), 40.0)
    settings = {**COMMON, "sigma": 5.0, "initial": start}
    for domain, size in ((Ball(1.0), 1.0), (Box(-0.5, 0.5), 0.5)):
        run = learn_unlearn(
            linear(),
            points(12, 3),
            points(12, 3),
            learn_epochs=0,
            unlearn_epochs=2,
            domain=domain,
            **settings,
        )
        order = 2 if isinstance(domain, Ball) else np.inf
        assert np.linalg.norm(run.learned, order, axis=1) == pytest.approx(size)
        assert (np.linalg.norm(run.unlearned, order, axis=1) <= size * (1 + 1e-15)).all()


def test_progress_and_interruption():
    calls = []
    learn_unlearn(
        Logistic(0.1),
        DATA,
        NEXT,
        **COMMON,
        learn_epochs=2,
        unlearn_epochs=1,
        progress=lambda done, total: calls.append((done, total)),
    )
    assert calls[0] == (3, 9)
    assert calls[-1] == (9, 9)

    def stop(done, total):
        raise KeyboardInterrupt

    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        with pytest.raises(KeyboardInterrupt):
            learn_unlearn(
                Logistic(0.1), DATA, NEXT, **COMMON, learn_epochs=2, unlearn_epochs=1, progress=stop
            )
        assert torch.get_num_threads() == 2
        assert torch.is_grad_enabled()
    finally:
        torch.set_num_threads(before)


BAD = {
    "sigma": [-1, math.nan, math.inf, "0.1", None, True, [], 1j],
    "step_size": [0, -1, math.nan, math.inf, "a", None, True],
    "batch_size": [0, 5, 13, 2.0, True, None, math.nan],
    "learn_epochs": [-1, 1.5, True, None, "2", math.nan],
    "unlearn_epochs": [-1, 1.5, True, None, "2"],
    "trials": [0, -3, 1.0, True, None, math.nan],
    "seed": [-1, 0.5, None, True, "1"],
    "claim": [-1, 0.5, None, True],
    "domain": [3.0, "ball", True],
    "batch_order": ["cyclic", [0, 1], [0] * 12, 3.5],
    "initial": ["one", [1.0, 2.0], math.nan, np.full(3, np.nan), None],
    "device": ["gpu", None, 0],
    "dtype": ["float16", None, np.float64],
    "block": [0, -1, 2.5, True],
    "memory": [0, 10, math.nan, "1G", True],
    "threads": [0, 1.5, None, True],
    "retrain": ["K", 2, "t"],
}


@pytest.mark.parametrize(("name", "bad"), [(n, v) for n, values in BAD.items() for v in values])
def test_invalid_input_is_named(name, bad):
    settings = {**COMMON, "learn_epochs": 1, "unlearn_epochs": 1, name: bad}
    with pytest.raises(ValueError, match=rf"{name}.* must "):
        learn_unlearn(Logistic(0.1), DATA, NEXT, **settings)


def test_invalid_objects():
    settings = {**COMMON, "learn_epochs": 1, "unlearn_epochs": 1}
    with pytest.raises(ValueError, match="loss must be a Loss"):
        learn_unlearn("logistic", DATA, NEXT, **settings)
    with pytest.raises(ValueError, match="data must be a RowData"):
        learn_unlearn(Logistic(), DATA.features, NEXT, **settings)
    with pytest.raises(ValueError, match="adjacent must have the shape"):
        learn_unlearn(Logistic(), DATA, DATA.first(8), **settings)
    with pytest.raises(TypeError, match="'noise'"):
        learn_unlearn(Logistic(), DATA, NEXT, noise=1.0, **settings)
    far = {**settings, "step_size": 1e200, "learn_epochs": 40}
    with pytest.raises(ValueError, match="step_size and sigma must be small enough"):
        learn_unlearn(Logistic(0.5), DATA, NEXT, **far)
    with pytest.raises(ValueError, match="memory must be >= "):
        learn_unlearn(Logistic(), DATA, NEXT, **settings, memory=1000)
    with pytest.raises(ValueError, match="trials must be >= 2"):
        learn_unlearn(Logistic(), DATA, NEXT, **{**settings, "trials": 1}).moments()
