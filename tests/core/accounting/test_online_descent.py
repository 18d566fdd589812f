"""Which constants describe a loss: mu <= beta and L >= mu D/2, and nothing else."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting import OnlineDescent

POSITIVE = st.floats(-6, 6).map(lambda x: 10**x)


@given(POSITIVE, POSITIVE, st.floats(0, 1, exclude_max=True))
def test_a_lipschitz_constant_below_half_mu_D_is_refused(mu, diameter, share):
    least = mu * diameter / 2
    with pytest.raises(ValueError, match=r"lipschitz must be >= strong_convexity \* diameter/2"):
        OnlineDescent(mu, mu, least * share * (1 - 1e-9), 1.0, diameter)


@given(POSITIVE, POSITIVE, st.integers(0, 2**32))
def test_no_strongly_convex_loss_has_a_smaller_one(mu, diameter, seed):
    """(mu/2)(x - c)^2 plus any convex function: one end of the interval has a slope mu D/2."""
    rng = np.random.default_rng(seed)
    ends = np.array([-diameter / 2, diameter / 2])
    more = np.sort(rng.normal(scale=mu * diameter, size=2))  # slopes of a convex function
    slopes = mu * (ends - rng.normal(scale=diameter)) + more
    assert np.abs(slopes).max() >= mu * diameter / 2 * (1 - 1e-9)
    OnlineDescent(mu, 2 * mu, np.abs(slopes).max(), 1.0, diameter)


def test_what_is_attained_is_accepted():
    """(mu/2)|x|^2 on a centred ball, and a steep linear part: no upper limit on L."""
    for mu, diameter in ((1.0, 2.0), (0.1, 1e6), (3.0, 0.1), (1e-300, 1e300)):
        OnlineDescent(mu, mu, mu * (diameter / 2), 1.0, diameter)
        OnlineDescent(mu, mu, 1e9 * mu * (diameter / 2), 1.0, diameter)
    OnlineDescent(0.0, 0.0, 0.0, 1.0, 1e6)
    OnlineDescent(1.0, 1.0, 1.0, 1.0)  # no domain: a bound where the deleted losses were seen


def test_the_constants_of_the_issue():
    with pytest.raises(ValueError, match=r"diameter/2 = 50000, got 1$"):
        OnlineDescent(strong_convexity=0.1, smoothness=1, lipschitz=1, step_size=1.0, diameter=1e6)
