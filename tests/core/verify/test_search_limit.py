"""The wall-clock limit: it interrupts slow exact sides, and leaves the timers of others alone."""

import importlib
import signal
import sys
import threading
import time

import pytest

from verify.search.limit import Late, limit


def _busy(seconds=60.0):
    """Waits for this long in small parts, and takes every Exception for a failure of its own.

    Interrupted after a fraction of a second, or a minute and a failed test later: no machine is
    too busy for that.
    """
    until = time.monotonic() + seconds
    _busy_until(lambda: time.monotonic() >= until)


def _busy_until(condition):
    while not condition():
        try:
            time.sleep(0.001)
        except Exception:
            return


def test_a_block_ends_when_its_time_is_up():
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(Late), limit(0.1):
        _busy()
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    with limit(60):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_later_timer_of_others_is_put_back():
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(True))
    try:
        signal.setitimer(signal.ITIMER_REAL, 60)
        with pytest.raises(Late), limit(0.1):
            _busy()
        assert not rung
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] <= 59.9
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with limit(60):  # theirs is due sooner and stays in force
            _busy_until(lambda: rung)
        assert rung == [True]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_the_nearest_of_nested_limits_counts():
    with pytest.raises(Late), limit(0.1), limit(60):
        _busy()
    with pytest.raises(Late), limit(60), limit(0.1):
        _busy()


def test_imports_are_finished_first(tmp_path, monkeypatch):
    body = "import signal\nsignal.raise_signal(signal.SIGALRM)\nfor x in range(1000): pass"
    (tmp_path / "slow_to_import.py").write_text(body)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(Late), limit(60):  # whose time is up amid the import
        _busy(50 if importlib.import_module("slow_to_import") else 0)
    assert sys.modules.pop("slow_to_import").x == 999


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
