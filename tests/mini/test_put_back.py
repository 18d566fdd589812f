"""Lists of two lengths of mini's forms, put back."""

import pytest

import bounds
from bounds.namespaces.free import substitute


def test_lists_of_two_lengths_are_substituted():
    """mini (3): a batch of three kept and two forgotten samples."""
    form = bounds.get("mini.eq3")["printed"]
    inputs = form.validate({"w": 1.0, "eta": 0.5, "kept": [1.0, 2.0, 4.0], "gone": [8.0, 3.0]})
    found = substitute(form.symbolic(), form.statement.symbols, inputs)
    assert float(found) == pytest.approx(1 - 0.5 / 5 * 18, rel=1e-15)
