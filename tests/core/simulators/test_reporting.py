"""Whom long loops tell how far they are."""

import threading

from simulators.device.reporting import listener, reporting, reporting_steps
from simulators.device.threads import BlockProgress


def test_each_step_is_told_when_it_is_done():
    told = []
    with reporting(lambda *where: told.append(where)):
        steps = reporting_steps("abc")
        assert next(steps) == "a"
        assert told == []
        assert next(steps) == "b"
        assert told == [(1, 3)]
        assert list(steps) == ["c"]
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_nobody_listens_outside():
    assert listener() is None
    assert list(reporting_steps(range(3))) == [0, 1, 2]


def test_the_innermost_listens_and_then_the_outer_one_again():
    outer, inner = [], []
    with reporting(lambda *where: outer.append(where)):
        with reporting(lambda *where: inner.append(where)):
            list(reporting_steps([1]))
        list(reporting_steps([1, 2]))
    assert (inner, outer) == ([(1, 1)], [(1, 2), (2, 2)])


def test_a_thread_beside_is_not_listened_to():
    told = []
    with reporting(lambda *where: told.append(where)):
        thread = threading.Thread(target=lambda: list(reporting_steps([1])))
        thread.start()
        thread.join()
    assert told == []


def test_blocks_tell_the_function_that_was_passed_or_whoever_listens():
    passed, told = [], []
    with reporting(lambda *where: told.append(where)):
        BlockProgress(lambda *where: passed.append(where), 4).more(3)
        BlockProgress(None, 4).more(2)
    assert (passed, told) == ([(3, 4)], [(2, 4)])
