"""The wall-clock limit: it interrupts slow oracles, and leaves the timers of others alone."""

import signal
import threading
import time
from dataclasses import replace

import pytest

from verify import registry
from verify.search.limit import Late, limit
from verify.search.run import Budget, search_target
from verify.search.slack import targets


def _busy(seconds):
    """Works for this long, and takes every Exception for a failure of its own."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            sum(range(100))
        except Exception:
            return


def test_a_block_ends_when_its_time_is_up():
    started, before = time.monotonic(), signal.getsignal(signal.SIGALRM)
    with pytest.raises(Late), limit(0.1):
        _busy(10)
    assert time.monotonic() - started < 1
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    with limit(5):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_later_timer_of_others_is_put_back():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(True))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.4)
        with pytest.raises(Late), limit(0.1):
            _busy(10)
        assert not rung
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] < 0.31
        with limit(5):  # theirs is due sooner and stays in force
            _busy(0.5)
        assert rung == [True]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_the_nearest_of_nested_limits_counts():
    started = time.monotonic()
    with pytest.raises(Late), limit(0.1), limit(10):
        _busy(10)
    with pytest.raises(Late), limit(10), limit(0.1):
        _busy(10)
    assert time.monotonic() - started < 1


def test_threads_run_without_a_limit():
    done = []

    def work():
        with limit(0.01):
            _busy(0.05)
        done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]


@pytest.mark.parametrize("after", [0, 20])
def test_a_search_with_an_oracle_that_hangs_ends_in_time(after):
    target = targets(registry.claim("sglu.lem3.4"))[0]
    calls = []

    def left(**inputs):
        calls.append(inputs)
        if len(calls) > after:
            _busy(30)
        return 0.5 * float(target.formula["tight"](**inputs))

    slow = replace(target, form="tight", left=left, starts=())
    started = time.monotonic()
    found = search_target(slow, Budget(evaluations=10_000, seconds=0.5))
    assert time.monotonic() - started < 1.5
    assert (found is None) == (after == 0)
