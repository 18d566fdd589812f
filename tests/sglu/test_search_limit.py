"""A search of sglu's Lemma 3.4 with an exact side that hangs."""

import time
from dataclasses import replace

import pytest

import bounds
from tests.core.verify.test_search_limit import _busy
from verify.search.run import Budget, search_target
from verify.search.targets import targets


@pytest.mark.parametrize(("after", "seconds"), [(0, 0.5), (20, 3.0)])
def test_a_search_with_an_exact_side_that_hangs_ends_in_time(after, seconds):
    target = targets(bounds.get("sglu.lem3.4"))[0]
    calls = []

    def left(**inputs):
        calls.append(inputs)
        if len(calls) > after:
            _busy()
        return 0.5 * float(target.claim["tight"](**inputs))

    slow = replace(target, form="tight", left=left, starts=())
    started = time.monotonic()
    found = search_target(slow, Budget(evaluations=10_000, seconds=seconds))
    assert time.monotonic() - started < 40
    assert (found is None) == (after == 0)
