"""Density ratios of the classes."""

import numpy as np
import pytest
import torch
from scipy.stats import multivariate_normal

from simulators.streaming.ratio import Density, log_label_ratio, log_ratio
from simulators.streaming.statistics import Moments


def tensor(values):
    return torch.tensor(np.asarray(values, dtype=float))


def density(mean, covariance, count=100.0):
    mean, covariance = np.atleast_1d(mean), np.atleast_2d(covariance)
    moments = Moments(tensor([[count]]), tensor(mean[None, None]), tensor(covariance[None, None]))
    return Density.fit(moments, tensor(np.ones((1, len(mean)))))


@pytest.mark.parametrize(
    ("z", "now", "first", "left", "size", "mean", "var", "mean0", "var0", "expected"),
    [
        (0.5, 90, 100, 950, 1000, 0.1, 0.9, 0.0, 1.0, 1.035334070),
        (-1.0, 50, 100, 900, 1000, -0.2, 1.3, 0.0, 1.0, 0.6280580734),
        (2.0, 95, 100, 985, 1000, 0.05, 1.1, 0.2, 0.8, 1.106480644),
    ],
)
def test_ratio_values(z, now, first, left, size, mean, var, mean0, var0, expected):
    label = log_label_ratio(tensor([[now, left - now]]), tensor([first, size - first]))[:, :1]
    after, before = density(mean, var), density(mean0, var0)
    rows, origin = tensor([[[z]]]), tensor([[0.0]])
    found = log_ratio(
        label, after, before, after.log_density(rows, origin), before.log_density(rows, origin)
    )
    assert found.exp().item() == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("now", "first", "left", "size", "expected"),
    [
        (90, 100, 950, 1000, 0.9473684211),
        (50, 100, 900, 1000, 0.5555555556),
        (1, 7, 13, 20, 0.2197802198),
    ],
)
def test_label_ratio_values(now, first, left, size, expected):
    found = log_label_ratio(tensor([[now, left - now]]), tensor([first, size - first]))
    assert found[0, 0].exp().item() == pytest.approx(expected, rel=1e-9)


def test_label_ratio_of_missing_classes():
    found = log_label_ratio(tensor([[3.0, 0.0, 0.0]]), tensor([4.0, 2.0, 0.0]))
    assert found[0, 0].item() == pytest.approx(np.log((3 / 4) * (6 / 3)))
    assert found[0, 1].item() == -np.inf
    assert found[0, 2].item() == 0.0


def test_log_density_against_scipy():
    random = np.random.default_rng(2)
    A = random.standard_normal((3, 3))
    covariance, mean, origin = A @ A.T + np.eye(3), random.standard_normal(3), np.array([5.0, 0, 2])
    z = random.standard_normal((7, 3)) + origin
    found = density(mean, covariance).log_density(tensor(z[None]), tensor(origin[None]))[0, :, 0]
    exact = multivariate_normal(mean + origin, covariance).logpdf(z) + 1.5 * np.log(2 * np.pi)
    np.testing.assert_allclose(found, exact, rtol=1e-12)


@pytest.mark.parametrize(
    ("covariance", "count"),
    [
        (np.diag([1.0, 0.0]), 50),
        (np.diag([1.0, 1e-12]), 50),
        (np.diag([1.0, -0.3]), 50),
        (np.zeros((2, 2)), 0),
        (np.eye(2), 2),
    ],
    ids=["singular", "rounding", "indefinite", "empty", "two rows in two dimensions"],
)
def test_degenerate_classes_have_no_density(covariance, count):
    now, first = density(np.zeros(2), covariance, float(count)), density(np.ones(2), 2 * np.eye(2))
    assert not now.fitted.any()
    assert first.fitted.all()
    rows, origin = tensor([[[3.0, -1.0]]]), tensor([[0.0, 0.0]])
    values = [one.log_density(rows, origin) for one in (now, first)]
    label = tensor([[-0.25]])
    assert torch.isfinite(values[0]).all()
    assert log_ratio(label, now, first, *values).item() == -0.25
    assert log_ratio(label, first, now, *values[::-1]).item() == -0.25
