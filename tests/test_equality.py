"""What the two words of `tests.equality` let pass, and what not."""

import math

import numpy as np
import pytest

from tests.equality import same_bits, same_sums


def test_one_bit_a_shape_or_a_type_is_a_difference():
    same_bits([1.0, 2.0], np.array([1.0, 2.0]))
    for other in ([1.0, math.nextafter(2.0, 3.0)], [[1.0, 2.0]], np.float32([1, 2]), [1.0, np.nan]):
        with pytest.raises(AssertionError, match="what is compared"):
            same_bits([1.0, 2.0], other, "what is compared")


@pytest.mark.parametrize("terms", [2, 100, 10_000])
def test_any_order_of_a_sum_passes_and_a_term_less_does_not(terms):
    rng = np.random.default_rng(terms)
    given = rng.normal(size=terms) * 10 ** rng.uniform(-8, 8, terms)
    size, exact = np.abs(given).sum(), math.fsum(given)
    for order in (given, np.sort(given), np.sort(given)[::-1], rng.permutation(given)):
        same_sums(np.cumsum(order)[-1], exact, terms=terms, scale=size)
        with pytest.raises(AssertionError, match="rounding explains"):
            same_sums(np.cumsum(order)[-1] + 1e-10 * size, exact, terms=terms, scale=size)
    with pytest.raises(AssertionError):
        same_sums(math.nan, exact, terms=terms)
