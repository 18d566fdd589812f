"""What a guarantee leaves to an attacker, where e^epsilon is no float."""

import numpy as np
import pytest

from accounting.problems.attacks import attack_power


@pytest.mark.parametrize("fpr", [5e-324, 1e-310, 1e-304, 1e-3])
def test_a_large_epsilon_admits_everything_at_the_least_rate(fpr):
    assert attack_power(fpr, 1000.0, 0.0) == 1.0
    assert attack_power(fpr, np.inf, 0.0) == 1.0


def test_nothing_is_admitted_at_rate_0_but_delta():
    assert attack_power(0.0, 1000.0, 0.25) == pytest.approx(0.25, rel=1e-14)


def test_between_the_least_floats_and_1_it_is_e_to_epsilon_times_the_rate():
    assert attack_power(1e-310, 710.0, 0.0) == pytest.approx(1e-310 * np.exp(10.0) * np.exp(700.0))
