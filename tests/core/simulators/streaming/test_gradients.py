"""The retention gradient at w_0 from the forgotten rows."""

import numpy as np
import pytest
import torch

from simulators.streaming.gradients import retention_closed, retention_step


def test_recursion_is_the_mean_over_the_kept_rows():
    random = np.random.default_rng(0)
    gradients = torch.tensor(random.standard_normal((20, 3, 2)))
    when = random.integers(1, 6, (4, 20))
    when[:, 0] = 5
    start = gradients.mean(dim=0).expand(4, 3, 2)
    G, left = start, torch.full((4,), 20.0, dtype=torch.float64)
    for t in (1, 2, 3, 4):
        gone = torch.tensor(when == t, dtype=torch.float64)
        G = retention_step(G, left, torch.einsum("rn,nab->rab", gone, gradients), gone.sum(1))
        left = left - gone.sum(1)
        every = torch.tensor(when <= t, dtype=torch.float64)
        total = torch.einsum("rn,nab->rab", every, gradients)
        closed = retention_closed(start, torch.full_like(left, 20.0), total, every.sum(1))
        direct = torch.stack([gradients[when[r] > t].mean(dim=0) for r in range(4)])
        np.testing.assert_allclose(G, direct, atol=1e-13)
        np.testing.assert_allclose(closed, direct, atol=1e-13)


@pytest.mark.parametrize("removed", [4.0, 5.0])
def test_some_row_must_stay(removed):
    n, m = torch.tensor([4.0]), torch.tensor([removed])
    with pytest.raises(ValueError, match="n_t must be >= 1"):
        retention_step(torch.zeros(1, 2), n, torch.zeros(1, 2), m)
