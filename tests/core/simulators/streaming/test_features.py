"""Frozen features."""

import numpy as np
import pytest

from simulators.data.dataset import Dataset
from simulators.streaming.features import frozen_features
from tests.equality import same_bits, same_sums

DATA = Dataset(np.random.default_rng(0).standard_normal((30, 4)) + 7.0)


def test_standardised_features():
    z = frozen_features(DATA, 3, seed=2)
    np.testing.assert_allclose(z.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.cov(z.T), np.eye(3), atol=1e-12)


def test_raw_features_and_seeds():
    V = np.random.default_rng(1).standard_normal((4, 2))
    sizes = np.abs(DATA.features) @ np.abs(V)
    found = frozen_features(DATA, V, standardise=False)
    same_sums(found, DATA.features @ V, terms=4, scale=sizes.max())
    one, same, other = (frozen_features(DATA, 2, standardise=False, seed=s) for s in (1, 1, 2))
    same_bits(one, same)
    assert (one != other).all()


@pytest.mark.parametrize(
    "projection", [0, 5, -1, 1.5, None, "2", True, np.ones((3, 2)), [np.nan] * 4]
)
def test_projections_refused(projection):
    with pytest.raises(ValueError, match="projection must"):
        frozen_features(DATA, projection)


def test_dependent_features_refused():
    with pytest.raises(ValueError, match="nonsingular"):
        frozen_features(DATA, np.ones((4, 2)))
    with pytest.raises(ValueError, match="fewer columns"):
        frozen_features(Dataset(DATA.features[:3]), 3)
    with pytest.raises(ValueError, match="standardise must be"):
        frozen_features(DATA, 2, standardise=1)
