"""The noise is exactly Gaussian to the dtype's precision, and a function of the seed only."""

import math

import numpy as np
import pytest
import torch
from scipy import stats

from simulators.normals import Normals

CPU = torch.device("cpu")


def sample(dtype, shape=(4, 4096), arrays=60, seed=11):
    stream = Normals(np.random.SeedSequence(seed), shape, CPU, dtype)
    return torch.stack([stream.next().clone() for _ in range(arrays)]).numpy()


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_distribution(dtype):
    """983,040 numbers, fixed seed; each of the five tests has level 1e-5.

    Power: a scale wrong by 1 % shifts the variance statistic by 7 s.d., a shift of 0.01 the mean
    by 10, twelve uniforms summed (kurtosis 2.9) the kurtosis by 20.
    """
    draws = sample(dtype).astype(np.float64).ravel()
    count = len(draws)
    limit = stats.norm.isf(0.5e-5)
    assert abs(draws.mean()) * math.sqrt(count) < limit
    assert abs((draws**2).mean() - 1) * math.sqrt(count / 2) < limit
    assert abs((draws**4).mean() - 3) * math.sqrt(count / 96) < limit
    assert stats.kstest(draws, "norm").pvalue > 1e-5
    expected = 2 * stats.norm.sf(4.0) * count
    assert abs((np.abs(draws) > 4.0).sum() - expected) < limit * math.sqrt(expected)


def test_transform_of_the_generators_own_uniforms():
    """Box-Muller of the raw uniforms with sine and cosine, to rounding: no pass is left out."""
    panel = 1 << 15
    given = Normals(np.random.SeedSequence(3), (1, panel), CPU, torch.float64).next().numpy()[0]
    random = np.random.Generator(np.random.SFC64(np.random.SeedSequence(3)))
    radius = np.sqrt(-2 * np.log(1 - random.random(panel // 2)))
    angle = 2 * math.pi * random.random(panel // 2)
    expected = np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])
    assert np.abs(given - expected).max() < 1e-14
    single = Normals(np.random.SeedSequence(3), (1, panel), CPU, torch.float32).next().numpy()[0]
    words = np.random.SFC64(np.random.SeedSequence(3)).random_raw(panel // 2)
    pieces = [part.view(np.uint32) for part in np.split(words, 2)]
    high = np.concatenate([part[:8192] for part in pieces])
    low = np.concatenate([part[8192:].view(np.int32) for part in pieces])
    radius = np.sqrt(-2 * np.log((high + 0.5) / 2**32))
    angle = 2 * math.pi * low / 2**32
    expected = np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])
    # Near u = 1 the radius is a square root of float32's distance from 1.
    assert np.abs(single - expected).max() < 5e-4
    assert np.median(np.abs(single - expected)) < 1e-7


def test_independence_of_the_two_numbers_of_a_pair():
    """Cosine and sine parts: neither they nor their squares are correlated (level 1e-5 each)."""
    stream = Normals(np.random.SeedSequence(2), (1, 1 << 15), CPU, torch.float64)
    rows = np.concatenate([stream.next().numpy().reshape(2, -1).copy() for _ in range(20)], axis=1)
    limit = stats.norm.isf(0.5e-5) / math.sqrt(rows.shape[1])
    assert abs(np.corrcoef(rows)[0, 1]) < limit
    assert abs(np.corrcoef(rows**2)[0, 1]) < limit
    assert abs(np.corrcoef(rows[:, :-1], rows[:, 1:])[:2, 2:]).max() < limit
    angle = np.arctan2(rows[1], rows[0]) / (2 * math.pi) + 0.5
    assert stats.kstest(angle, "uniform").pvalue > 1e-5
    assert stats.kstest((rows**2).sum(axis=0), "expon", args=(0, 2)).pvalue > 1e-5


def test_float64_has_float64_resolution():
    """No two of a million agree, and none is a float32: 24-bit uniforms would fail both."""
    draws = sample(torch.float64).ravel()
    assert len(np.unique(draws)) == len(draws)
    # A double in [1, 2) is a float32 with probability 2^-29.
    assert (draws.astype(np.float32) == draws).mean() < 1e-4


def test_stream_depends_on_seed_and_shape_only():
    assert (sample(torch.float64, arrays=5) == sample(torch.float64, arrays=60)[:5]).all()
    assert (sample(torch.float64, arrays=2, seed=12) != sample(torch.float64, arrays=2)).all()


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (7, 10007)])
def test_odd_sizes(shape):
    draws = sample(torch.float64, shape, arrays=9)
    assert draws.shape == (9, *shape)
    assert np.isfinite(draws).all()
    assert len(np.unique(draws)) == draws.size
