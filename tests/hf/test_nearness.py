"""The nearness of hf's Lemma A.5, against the recursion that it solves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.hf.lemma_a_5 import corrected as nearness


@given(
    st.integers(0, 200), st.floats(0.5, 1), st.floats(0.01, 1), st.floats(0.1, 1), st.floats(0, 2)
)
def test_nearness_step_by_step(steps, decay, eta, lam, residual):
    """The sum of Lemma A.5 against its recursion."""
    distance = 3 / lam
    for t in range(steps):
        step = eta * decay**t * 0.7
        r = max(abs(1 - step * lam), abs(1 - step))
        distance = r * distance + step * residual
    found = nearness(eta=eta, q=decay, T=steps, lam=lam, M=1.0, L=3.0, beta=0.7, residual=residual)
    assert float(found) == pytest.approx(distance, rel=1e-11, abs=1e-300)
