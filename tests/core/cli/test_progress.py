"""What standard error says of long work, by a clock that the tests turn."""

import io
import logging
from contextlib import contextmanager, redirect_stderr

import pytest

from forgetproof import progress
from forgetproof.progress import WorkNotice, duration


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture(autouse=True)
def every_minute(monkeypatch):
    """As for users; the suite has it at infinity."""
    monkeypatch.setattr(progress, "EVERY", 60.0)


@pytest.fixture
def clock(monkeypatch):
    monkeypatch.setattr(progress, "clock", made := Clock())
    # Nobody looks at the clock but the test.
    monkeypatch.setattr(progress, "Thread", NoThread)
    return made


class NoThread:
    """Of a thread that is never started."""

    def __init__(self, **_):
        pass

    def start(self):
        pass


class Terminal(io.StringIO):
    def isatty(self):
        return True


@contextmanager
def terminal():
    """Inside, standard error is a terminal; yields what is written to it."""
    stream = Terminal()
    with redirect_stderr(stream):
        yield stream


def errors(capsys):
    return capsys.readouterr().err.splitlines()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.4, "0 s"),
        (59.4, "59 s"),
        (60, "1 min"),
        (89, "1 min"),
        (3590, "1 h"),
        (3600, "1 h"),
        (7500, "2 h 5 min"),
    ],
)
def test_durations_in_words(seconds, words):
    assert duration(seconds) == words


def test_a_line_after_some_seconds_and_then_one_a_minute():
    notice = WorkNotice("fig1: running", 0.0, 3.0)
    lines = {now: line for now in range(0, 200) if (line := notice.line(now))}
    assert lines == {
        3: "fig1: running ...",
        60: "fig1: running: 1 min so far",
        120: "fig1: running: 2 min so far",
        180: "fig1: running: 3 min so far",
    }


def test_after_a_silent_hour_comes_one_line():
    notice = WorkNotice("checks", 0.0, None)
    assert notice.line(3.0) is None
    assert notice.line(3600.0) == "checks: 1 h so far"
    assert notice.line(3601.0) is None
    assert notice.line(3660.0) == "checks: 1 h 1 min so far"


def test_the_time_left_follows_the_pace():
    notice = WorkNotice("checks", 0.0, None)
    notice.move(0, 10, "", 0.0)
    notice.move(4, 10, "sglu.thm3.2", 40.0)
    assert notice.left(40.0) == 60.0
    # Nothing has ended since: the rest cannot take less than it did.
    assert notice.left(50.0) == 75.0
    assert notice.line(60.0) == "checks: 4 of 10, sglu.thm3.2, 1 min so far, about 2 min left"


def test_what_an_earlier_run_finished_says_nothing_of_the_pace():
    notice = WorkNotice("checks", 0.0, None)
    notice.move(50, 60, "kept", 1.0)
    assert notice.left(1.0) is None
    notice.move(52, 60, "", 21.0)
    assert notice.left(21.0) == 80.0


def test_a_part_that_begins_anew_has_a_pace_of_its_own():
    notice = WorkNotice("running", 0.0, None)
    notice.move(1, 100, "", 0.0)
    notice.move(100, 100, "", 10.0)
    notice.move(10, 1000, "", 20.0)
    assert notice.left(20.0) is None
    notice.move(20, 1000, "", 30.0)
    assert notice.left(30.0) == 980.0


def test_short_work_says_nothing(capsys, clock):
    with progress.progress(3) as move, progress.line_when_long("plot"):
        for done in (1, 2, 3):
            clock.now += 0.5
            move(done, 3, "x")
    assert errors(capsys) == []


def test_checks_are_a_line_a_minute_without_a_terminal(capsys, clock):
    with progress.progress(20) as move:
        for done in range(1, 21):
            clock.now += 15
            move(done, 20, f"claim{done}")
    assert errors(capsys) == [
        "checks: 4 of 20, claim4, 1 min so far, about 4 min left",
        "checks: 8 of 20, claim8, 2 min so far, about 3 min left",
        "checks: 12 of 20, claim12, 3 min so far, about 2 min left",
        "checks: 16 of 20, claim16, 4 min so far, about 1 min left",
        "checks: 20 of 20, claim20, 5 min so far, about 0 s left",
    ]


def test_a_loop_that_reports_often_is_noticed_ten_times_a_second(clock, monkeypatch):
    moves = []
    monkeypatch.setattr(WorkNotice, "move", lambda self, *what: moves.append(what))
    with progress.progress(0) as move:
        for done in range(1, 1001):
            clock.now += 0.001
            move(done, 1000)
    assert len(moves) == 11
    assert moves[-1][:2] == (1000, 1000)


def test_what_is_to_do_is_told_before_anything_is_done(capsys, clock):
    waiting = progress.WaitingLine(opening=False)
    waiting.begin("checks", 57)
    clock.now += 60
    waiting._say()
    waiting.end()
    assert errors(capsys) == ["checks: 0 of 57, 1 min so far"]


def test_quiet_work_says_nothing_ever(capsys, clock):
    with progress.progress(2, quiet=True) as move:
        clock.now += 1000
        move(1, 2, "x")
    assert errors(capsys) == []


def test_a_silent_stretch_is_told_of_by_the_watch(capsys, clock, monkeypatch):
    """The thread that looks at the clock, without waiting for it."""
    waiting = progress.WaitingLine()
    waiting.begin("langevin: running")
    clock.now += 61

    class Looks:
        """Two looks, and the end."""

        answers = iter([False, False, True])

        def wait(self, seconds):
            clock.now += 60
            return next(self.answers)

    waiting._watch(Looks())
    waiting.end()
    lines = errors(capsys)
    assert lines[0] == "langevin: running ..."
    assert lines[-1] == "langevin: running: 3 min so far"


def test_after_the_end_nothing_is_said(capsys, clock):
    waiting = progress.WaitingLine()
    waiting.begin("one")
    waiting.end()
    clock.now += 100
    waiting._say()
    waiting.move(1, 2)
    assert errors(capsys) == []


def test_each_record_of_a_log_begins_anew(capsys, clock, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    log = logging.getLogger("test.progress")
    with progress.said_of("test.progress"):
        log.info("dp-sgd: accountant mixture")
        log.info("dp-sgd: accountant patterns")
    assert log.handlers == []
    assert errors(capsys) == ["dp-sgd: accountant mixture ...", "dp-sgd: accountant patterns ..."]


def test_a_terminal_has_a_bar_with_the_time_left(clock):
    with terminal() as stream, progress.progress(10) as move:
        for done in range(1, 11):
            clock.now += 10
            move(done, 10, f"claim{done}")
    places = [
        stream.getvalue().index(words)
        for words in (
            "checks  [",
            "0/10",
            "1/10  claim1, 10 s so far",
            "2/10  claim2, 20 s so far, about 1 min left",
            "9/10  claim9, 2 min so far, about 10 s left",
            "10/10  claim10, 2 min so far, about 0 s left",
        )
    ]
    assert places == sorted(places)


def test_a_terminal_has_no_bar_of_what_is_over_at_once(clock):
    with terminal() as stream, progress.progress(10) as move:
        for done in range(1, 11):
            clock.now += 0.2
            move(done, 10, "x")
    assert stream.getvalue() == ""


def test_a_terminal_has_lines_where_nothing_can_be_counted(clock):
    with terminal() as stream:
        waiting = progress.WaitingLine()
        waiting.begin("what")
        for _ in range(2):
            clock.now += 61
            waiting._say()
            waiting._say()
        waiting.end()
    assert stream.getvalue().splitlines() == [
        "what ...",
        "what: 1 min so far",
        "what: 2 min so far",
    ]


def test_the_words_beside_a_bar_go_on_while_nothing_moves(clock):
    with terminal() as stream:
        waiting = progress.WaitingLine()
        waiting.begin("running")
        clock.now += 10
        waiting.move(1, 4)
        for _ in range(3):
            clock.now += 10
            waiting._say()
        waiting.end()
    text = stream.getvalue()
    assert [words in text for words in ("10 s so far", "20 s so far", "40 s so far")] == [True] * 3
    assert "running ..." not in text


def test_counting_anew_begins_a_new_bar(clock):
    with terminal() as stream, progress.line_when_long("running") as move:
        clock.now += 5
        move(50, 100)
        clock.now += 5
        move(100, 100)
        clock.now += 5
        move(1, 7)
    text = stream.getvalue()
    assert "100/100" in text
    assert "\n" in text[text.index("100/100") : text.index("1/7")]


def test_the_next_line_begins_after_the_bar(clock):
    with terminal() as stream:
        with progress.progress(2) as move:
            clock.now += 10
            move(1, 2, "x")
        print("answer", file=stream)
    lines = stream.getvalue().splitlines()
    assert lines[-1].removeprefix("\x1b[?25h") == "answer"
