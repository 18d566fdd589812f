"""Sums of powers in equations 38 and 39 of olu, against their terms."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.olu.equation_38_39 import DIRECT, _power_sum


@given(st.integers(1, 3 * DIRECT), st.floats(1.001, 20))
def test_sums_of_powers(k, omega):
    direct = math.fsum(np.arange(1.0, k + 1) ** omega)
    assert _power_sum(float(k), omega) == pytest.approx(direct, rel=1e-13)


def test_sums_of_powers_of_many_terms():
    k = 10**12
    assert _power_sum(float(k), 2.0) == pytest.approx(k * (k + 1) * (2 * k + 1) / 6, rel=1e-14)
    assert _power_sum(float(k), 3.0) == pytest.approx((k * (k + 1) / 2) ** 2, rel=1e-14)
