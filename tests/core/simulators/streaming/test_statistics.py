"""Class statistics under deletions: exact moments of the kept rows, and eq 23 as printed."""

from itertools import combinations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from simulators.streaming.statistics import (
    Moments,
    Sums,
    class_statistics,
    mean_downdate,
    printed_covariance_downdate,
)


def tensor(values):
    return torch.tensor(np.asarray(values, dtype=float))


def sums(z, labels, masks, classes):
    """Sums over the rows of each mask (trials, n)."""
    hot = np.eye(classes)[labels][None] * masks[:, :, None]
    return Sums.over(tensor(z).expand(len(masks), *z.shape), tensor(hot))


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(5, 30),
    st.integers(1, 3),
    st.integers(0, 1),
    st.floats(-50, 50),
)
def test_exact_statistics_are_those_of_the_kept_rows(seed, n, q, ddof, offset):
    random = np.random.default_rng(seed)
    z, labels = random.standard_normal((n, q)) + offset, random.integers(0, 3, n)
    when = random.integers(1, 5, (2, n))
    everything = np.ones((2, n))
    statistics = class_statistics(sums(z, labels, everything, 3), "exact", ddof)
    for t in (1, 2, 3):
        statistics.remove(sums(z, labels, when == t, 3))
        found = statistics.moments()
        for r in range(2):
            for c in range(3):
                kept = z[(when[r] > t) & (labels == c)]
                assert found.count[r, c] == len(kept)
                if len(kept) > 0:
                    np.testing.assert_allclose(found.mean[r, c], kept.mean(axis=0), atol=1e-9)
                if len(kept) > ddof:
                    exact = np.cov(kept.T, ddof=ddof).reshape(q, q)
                    np.testing.assert_allclose(found.covariance[r, c], exact, atol=1e-9)
                else:
                    assert (found.covariance[r, c] == 0).all()


def one(n, mean, variance):
    return Moments(tensor([[n]]), tensor([[[mean]]]), tensor([[[[variance]]]]))


@pytest.mark.parametrize(
    ("n", "after", "mean", "gone", "expected"),
    [(3, 2, 2, 4, 1.0), (4, 2, 0, 0, 0.0), (100, 90, 0.3, -0.4, 0.3777777778)],
)
def test_mean_downdate_values(n, after, mean, gone, expected):
    found = mean_downdate(one(n, mean, 0.0), one(n - after, gone, 0.0))
    assert found.item() == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("n", "after", "before", "removed", "mean", "gone", "printed"),
    [
        (3, 2, 4.0, 0.0, 2.0, 4.0, 5.0),
        (4, 2, 4 / 3, 2.0, 0.0, 0.0, -1.555555556),
        (100, 90, 1.5, 1.2, 0.3, -0.4, 0.2034792368),
    ],
)
def test_printed_covariance_values(n, after, before, removed, mean, gone, printed):
    found = printed_covariance_downdate(one(n, mean, before), one(n - after, gone, removed))
    assert found.item() == pytest.approx(printed, rel=1e-9)


@pytest.mark.parametrize("n", [1, 5])
def test_printed_covariance_without_removals(n):
    assert printed_covariance_downdate(one(n, 0.3, 2.5), one(0, 0.0, 0.0)).item() == 2.5


@pytest.mark.parametrize("update", ["exact", "printed"])
def test_mean_over_all_deletions(update):
    """The mean over all subsets of size m: Sigma itself, and -((m-1)/(n-1)) Sigma as printed."""
    n, m = 8, 3
    z = np.random.default_rng(5).standard_normal((n, 2))
    masks = np.array([np.isin(np.arange(n), chosen) for chosen in combinations(range(n), m)])
    labels = np.zeros(n, dtype=int)
    statistics = class_statistics(sums(z, labels, np.ones(masks.shape), 1), update, 1)
    statistics.remove(sums(z, labels, masks, 1))
    factor = 1.0 if update == "exact" else -(m - 1) / (n - 1)
    mean = statistics.moments().covariance[:, 0].mean(dim=0)
    np.testing.assert_allclose(mean, factor * np.cov(z.T), atol=1e-12)


@pytest.mark.parametrize("update", ["exact", "printed"])
def test_down_to_no_rows(update):
    z, labels = np.random.default_rng(1).standard_normal((6, 2)), np.zeros(6, dtype=int)
    statistics = class_statistics(sums(z, labels, np.ones((1, 6)), 1), update, 1)
    for row in range(6):
        statistics.remove(sums(z, labels, (np.arange(6) == row)[None], 1))
        found = statistics.moments()
        assert found.count.item() == 5 - row
        assert torch.isfinite(found.mean).all()
        assert torch.isfinite(found.covariance).all()
    assert not found.mean.any()


def test_settings():
    start = sums(np.zeros((2, 1)), np.zeros(2, dtype=int), np.ones((1, 2)), 1)
    with pytest.raises(ValueError, match="update must be"):
        class_statistics(start, "other", 1)
    with pytest.raises(ValueError, match="ddof must be"):
        class_statistics(start, "exact", 2)
    with pytest.raises(ValueError, match="ddof must be"):
        class_statistics(start, "printed", 0)
