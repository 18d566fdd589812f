"""The domain of a search of sglu's Lemma 3.5."""

import numpy as np

import bounds
from verify.search.domain import domain


def test_a_range_of_one_point_holds_the_argument():
    within = {"R": (np.inf, np.inf), "J": (3, 3), "m": (0.1, 0.2)}
    found = domain(bounds.get("sglu.lem3.5"), within=within)
    points = [found.decode(np.full(found.size, u)) for u in (0.0, 0.4, 1.0)]
    assert [(p["R"], p["J"]) for p in points] == [(np.inf, 3)] * 3
    assert all(0.1 <= p["m"] <= 0.2 for p in points)
