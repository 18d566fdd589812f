"""Partitions visit every row once; positions are those of the partition used."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulators.engine.batches import partition, positions


@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 1000))
def test_partition_and_positions(count, size, seed):
    for order in ("fixed", "random", np.random.default_rng(seed).permutation(count * size)):
        batches = partition(count * size, size, order, seed=seed)
        assert batches.shape == (count, size)
        assert sorted(batches.ravel()) == list(range(count * size))
        for row, j in enumerate(positions(batches, np.arange(count * size))):
            assert row in batches[j]
    assert (partition(count * size, size) == np.arange(count * size).reshape(-1, size)).all()


def test_random_partition_depends_on_seed_and_claim():
    one = partition(30, 3, "random", seed=1)
    assert (one == partition(30, 3, "random", seed=1)).all()
    assert (one != partition(30, 3, "random", seed=2)).any()
    assert (one != partition(30, 3, "random", seed=1, claim=1)).any()


def test_random_position_is_uniform():
    """3,000 partitions: the batch of row 0 is uniform on 0..4 (chi-square, level 1e-5)."""
    found = [int(positions(partition(10, 2, "random", seed=s), 0)) for s in range(3000)]
    counts = np.bincount(found, minlength=5)
    assert ((counts - 600) ** 2 / 600).sum() < 28.5


def test_division():
    with pytest.raises(ValueError, match=r"divide n = 10, got 4 \(Dataset.trimmed\(4\) drops"):
        partition(10, 4)
