"""Segments of a convex minorant: pooled at once, one by one and by scipy's loop, one answer."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

from accounting.contraction import pooling

INDEX = np.arange(300)
SLOPES = {
    "rising": INDEX + 1.0,
    "falling": 300.0 - INDEX,
    "equal": np.ones(300),
    "high at first": np.where(INDEX == 0, 1e6, INDEX),
    "low at last": np.where(INDEX == 299, 0.0, INDEX + 1.0),
    "teeth": INDEX % 30 + 0.01 * INDEX,
    "waves": INDEX / 300 + 0.01 * np.sin(0.37 * INDEX),
    "none": np.zeros(300),
}


def energy(first, rise, run):
    """Of the path that is straight in each segment."""
    risen, ran = np.add.reduceat(rise, first), np.add.reduceat(run, first)
    return float((risen / ran * risen).sum())


def agrees(rise, run):
    first = pooling.segments(rise, run)
    blocks = isotonic_regression(rise / run, weights=run).blocks[:-1]
    assert first[0] == 0
    assert (np.diff(first) > 0).all()
    assert energy(first, rise, run) == pytest.approx(energy(blocks, rise, run), rel=1e-13)


@pytest.mark.parametrize("few", [0, 4096], ids=["by scipy's loop", "one by one"])
@pytest.mark.parametrize("name", SLOPES)
def test_every_shape_has_the_energy_of_isotonic_regression(monkeypatch, name, few):
    monkeypatch.setattr(pooling, "_FEW", few)
    run = 1.0 + INDEX % 7
    agrees(SLOPES[name] * run, run)


steps = st.tuples(st.floats(0, 1e6), st.floats(1e-6, 1e6))


@given(st.lists(steps, min_size=1, max_size=40))
def test_any_steps_have_the_energy_of_isotonic_regression(points):
    rise, run = np.array(points).T.copy()
    agrees(rise, run)
