"""How far one step from w_0 is from retraining, as rows leave."""

import numpy as np
import pytest

from accounting.publications.deletion_stream import DeletionStream


def test_all_rows_that_have_left_count_in_every_round():
    stream = DeletionStream(10, np.array([0, 5, 2]), 1.0, 1.0, 1.0, gamma=0.5, initial=0.25)
    found = stream.step_distances
    np.testing.assert_allclose(found, [0.75, 2 * 0.5 + 0.75, 2 * 0.7 + 0.75], rtol=1e-14)
    assert (found >= [0.75, 1.75, 2.15]).all()


def test_the_distance_is_attained():
    """h = -L x w with x = +1 kept and x = -1 removed, all of them at once."""
    L, mu, n, m = 3.0, 0.5, 20, 7
    before, after = L * (n - 2 * m) / (mu * n), L / mu
    found = DeletionStream(n, np.array([m]), L, mu, mu, gamma=0.0).step_distances
    assert found == pytest.approx(after - before, rel=1e-14)
