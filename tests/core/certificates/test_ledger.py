"""The ledger: what it takes, what it refuses, and what half a line or another writer does to it."""

import hashlib
import itertools
import json
import os
import signal
import stat
import time
import warnings

import pytest

from forgetproof.certificates import BudgetExceeded, Ledger, LedgerConflict, LedgerRepaired

MODEL = hashlib.sha256(b"model").hexdigest()
SETTINGS = {"n": 10, "rate": 1 / 3, "budget": {"rows": 3, "steps": 100}}
CLOCK = itertools.count(1_700_000_000).__next__


def opened(folder, settings=SETTINGS, **more):
    return Ledger.open(folder, settings, clock=CLOCK, **more)


def filled(folder, requests=1):
    """Training, requests of one row each with five steps, a release."""
    ledger = opened(folder)
    ledger.append("train", steps=40, state="0")
    for number in range(requests):
        sequence = ledger.append("request", rows=[ledger.digest(number)], steps=5)
        ledger.append("unlearned", request=sequence, steps=5)
    ledger.append("release", model=MODEL, seen_by="a customer")
    return ledger


def lines(ledger):
    return ledger.path.read_bytes().splitlines()


def test_each_line_has_the_digest_of_the_bytes_before(tmp_path):
    ledger = filled(tmp_path, requests=2)
    before = "0" * 64
    for sequence, line in enumerate(lines(ledger)):
        event = json.loads(line)
        assert (event["sequence"], event["before"]) == (sequence, before)
        before = hashlib.sha256(line).hexdigest()
    assert ledger.head == before
    assert [e["event"] for e in ledger.events()] == [
        *("open", "train", "request", "unlearned", "request", "unlearned", "release")
    ]


def test_who_opens_it_again_knows_all_of_it(tmp_path):
    first = filled(tmp_path, requests=2)
    again = opened(tmp_path)
    assert (again.head, again.history, again.events()) == (
        first.head,
        first.history,
        first.events(),
    )
    assert again.history.schedule == [(40, 2), (5, 1), (5, 0)]
    assert again.digest(1) == first.digest(1) != again.digest("1")


def test_ids_do_not_stand_in_it_and_the_key_is_the_owners(tmp_path):
    ledger = opened(tmp_path)
    ledger.append("train", steps=1)
    ledger.append("request", rows=[ledger.digest("Ada Lovelace")], steps=0)
    assert b"Ada" not in ledger.path.read_bytes()
    key = tmp_path / "ids.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert key.read_bytes() not in ledger.path.read_bytes()
    key.write_text("0" * 64)
    with pytest.raises(ValueError, match="key must be the one"):
        opened(tmp_path)


def test_a_key_of_the_operator_is_not_stored(tmp_path):
    ledger = opened(tmp_path, key=b"k" * 32)
    assert not (tmp_path / "ids.key").exists()
    assert opened(tmp_path, key=b"k" * 32).digest("a") == ledger.digest("a")
    with pytest.raises(ValueError, match="key must be 32 bytes"):
        opened(tmp_path, key=b"short")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({**SETTINGS, "rate": 0.5}, "other values of rate"),
        ({"n": 10}, "other values of budget, rate"),
        ({"budget": {"row": 3}}, "budget must be an object of requests, rows"),
        ({"budget": {"rows": -1}}, "budget.rows must be a whole number >= 0, got -1"),
    ],
)
def test_settings_are_fixed_when_it_is_opened(tmp_path, settings, words):
    opened(tmp_path)
    with pytest.raises(ValueError, match=words):
        opened(tmp_path, settings)


ROW, OTHER = hashlib.sha256(b"1").hexdigest(), hashlib.sha256(b"2").hexdigest()
REFUSED = {
    "an event that there is not": (("delete", {}), "event must be one of open, train"),
    "opened twice": (("open", {"settings": {}}), "event must be open at first and never again"),
    "no steps": (("train", {}), "train must have steps"),
    "half a step": (("train", {"steps": 0.5}), "steps must be a whole number >= 1, got 0.5"),
    "not a number": (("train", {"steps": 1, "loss": float("nan")}), "train must be JSON"),
    "a key that is no text": (("train", {"steps": 1, "more": {1: 2}}), "keys must be text"),
    "no rows": (("request", {"rows": [], "steps": 1}), "rows must be a list of one digest"),
    "an id itself": (("request", {"rows": ["Ada"], "steps": 1}), "rows must be a SHA-256"),
    "a row twice": (("request", {"rows": [ROW, ROW], "steps": 1}), "rows must be different"),
    "a row that has left": (("request", {"rows": [OTHER], "steps": 1}), "different ones that are"),
    "no request": (("unlearned", {"request": 2, "steps": 5}), "event must follow a request"),
    "no model": (("release", {"model": "model.npy"}), "model must be a SHA-256"),
    "the ledger's own field": (("train", {"steps": 1, "before": ROW}), "fields must not be named"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_event_leaves_all_as_it_was(tmp_path, name):
    ledger = opened(tmp_path)
    ledger.append("train", steps=1)
    sequence = ledger.append("request", rows=[OTHER], steps=5)
    ledger.append("unlearned", request=sequence, steps=5)
    before = ledger.path.read_bytes(), ledger.head, ledger.history.schedule
    (event, fields), words = REFUSED[name]
    with pytest.raises(ValueError, match=words):
        ledger.append(event, **fields)
    assert (ledger.path.read_bytes(), ledger.head, ledger.history.schedule) == before
    assert opened(tmp_path).head == ledger.head


@pytest.mark.parametrize("event", ["train", "request", "release"])
def test_what_was_reserved_is_run_before_anything_else(tmp_path, event):
    ledger = opened(tmp_path)
    ledger.append("train", steps=1)
    sequence = ledger.append("request", rows=[ROW], steps=5)
    fields = {"steps": 1, "rows": [OTHER], "model": MODEL}
    again = opened(tmp_path)
    assert again.history.pending.steps == 5
    with pytest.raises(ValueError, match="request 2 waits for its 5 steps"):
        again.append(event, **fields)
    with pytest.raises(ValueError, match="must be those of the open request, 2 and 5, got 2 and 4"):
        again.append("unlearned", request=sequence, steps=4)
    assert again.append("unlearned", request=sequence, steps=5) == 3


def test_the_second_of_two_writers_is_refused_until_it_has_read(tmp_path):
    first, second = opened(tmp_path), opened(tmp_path)
    first.append("train", steps=7)
    with pytest.raises(LedgerConflict, match="another process has written"):
        second.append("train", steps=8)
    second.refresh()
    assert second.head == first.head
    second.append("train", steps=8)
    assert second.history.schedule == [(7, 0), (8, 0)]


def test_a_ledger_that_was_cut_back_is_refused(tmp_path):
    ledger = filled(tmp_path)
    kept = lines(ledger)[:-1]
    ledger.path.write_bytes(b"\n".join(kept) + b"\n")
    with pytest.raises(LedgerConflict, match="cut short or exchanged"):
        ledger.append("train", steps=1)
    with pytest.raises(LedgerConflict, match="cut short or exchanged"):
        ledger.refresh()
    assert lines(ledger) == kept


def without(place):
    return lambda rows: rows[:place] + rows[place + 1 :]


TAMPERED = {
    "edited": lambda rows: [rows[0], rows[1].replace(b"40", b"41"), *rows[2:]],
    "dropped": without(2),
    "exchanged": lambda rows: [rows[0], rows[2], rows[1], *rows[3:]],
    "added": lambda rows: [*rows, rows[-1]],
    "empty line": lambda rows: [*rows, b""],
    "no JSON": lambda rows: [*rows, b"\xff\xfe"],
    "carriage returns": lambda rows: [row + b"\r" for row in rows],
    "a mark of byte order": lambda rows: [b"\xef\xbb\xbf" + rows[0], *rows[1:]],
    "a key twice": lambda rows: [rows[0][:-1] + b', "time": 1}', *rows[1:]],
    "zeros": lambda rows: [*rows[:-1], b"\0" * len(rows[-1])],
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_changed_line_is_refused(tmp_path, name):
    ledger = filled(tmp_path)
    ledger.path.write_bytes(b"\n".join(TAMPERED[name](lines(ledger))) + b"\n")
    with pytest.raises(ValueError, match="line"):
        opened(tmp_path)


def dies_in_the_write_after(ledger, count, kept):
    """Appends `count` steps, says each on a pipe, and is killed with `kept` bytes of the next."""
    said, says = os.pipe()
    if (child := os.fork()) == 0:
        writes = os.pwrite

        def torn(file, data, offset):
            writes(file, data[:kept], offset)
            os.kill(os.getpid(), signal.SIGKILL)

        try:
            for number in range(count):
                os.write(says, b"%d\n" % ledger.append("train", steps=number + 1))
            os.pwrite = torn
            ledger.append("train", steps=99)
        finally:  # no error may go on in a second copy of the tests
            os._exit(1)
    os.close(says)
    with os.fdopen(said) as stream:
        told = [int(line) for line in stream]
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    return told


# Half a line may be any part of it; a whole one without its line break is no line either.
@pytest.mark.parametrize("part", [0, 1, 40, 100, 137, 138])
def test_a_kill_while_a_line_is_written_loses_nothing_that_was_said(tmp_path, part):
    ledger = opened(tmp_path)
    for round_ in range(5):
        length = len(lines(ledger)[-1]) if round_ else 138
        told = dies_in_the_write_after(ledger, 3, min(part, length))
        before = len(ledger.events())
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            ledger = opened(tmp_path)
        events = ledger.events()[before:]
        assert [e["sequence"] for e in events if e["event"] == "train"] == told
        repairs = [e for e in events if e["event"] == "repair"]
        assert [w.category for w in caught] == [LedgerRepaired] * len(repairs)
        assert len(repairs) == (part > 0)
        for repair in repairs:
            aside = tmp_path / f"ledger.jsonl.{repair['sha256'][:16]}"
            assert hashlib.sha256(aside.read_bytes()).hexdigest() == repair["sha256"]
        assert opened(tmp_path).head == ledger.head


def test_half_a_first_line_is_set_aside(tmp_path):
    (tmp_path / "ledger.jsonl").write_bytes(b'{"sequence": 0')
    with pytest.warns(LedgerRepaired, match="half a line of 14 bytes"):
        ledger = opened(tmp_path)
    assert [e["event"] for e in ledger.events()] == ["open"]


def test_half_a_line_of_another_process_is_set_aside_by_the_next_event(tmp_path):
    ledger = opened(tmp_path)
    with ledger.path.open("ab") as file:
        file.write(b"x" * 1000)
    with pytest.warns(LedgerRepaired):
        ledger.append("train", steps=4)
    assert [e["event"] for e in ledger.events()] == ["open", "repair", "train"]
    assert opened(tmp_path).head == ledger.head


def test_a_full_disk_leaves_no_half_line(tmp_path, monkeypatch):
    ledger = opened(tmp_path)
    before = ledger.path.read_bytes()
    writes = os.pwrite

    def full(file, data, offset):
        if offset > len(before):
            raise OSError(28, "No space left on device")
        return writes(file, data[:20], offset)

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(OSError, match="No space left"):
        ledger.append("train", steps=4)
    assert ledger.path.read_bytes() == before
    monkeypatch.undo()
    assert ledger.append("train", steps=4) == 1


def test_a_line_of_a_megabyte_is_one_line(tmp_path):
    ledger = opened(tmp_path)
    ledger.append("train", steps=4, note="é\n" * 2**18)
    assert opened(tmp_path).events()[-1]["note"] == "é\n" * 2**18


def test_a_time_that_goes_back_decides_nothing(tmp_path):
    ledger = Ledger.open(tmp_path, {}, clock=lambda: 2e9)
    Ledger.open(tmp_path, {}, clock=lambda: 1e9).append("train", steps=1)
    ledger.refresh()
    assert [e["time"] for e in ledger.events()] == [2 * 10**9, 10**9]


def test_four_processes_write_one_chain(tmp_path):
    opened(tmp_path)
    children = []
    for number in range(4):
        if (child := os.fork()) == 0:
            try:
                ledger = opened(tmp_path)
                for attempt in range(5):
                    append_after_all_others(ledger, "train", steps=1, by=[number, attempt])
            finally:
                os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    found = [event["by"] for event in opened(tmp_path).events()[1:]]
    assert sorted(found) == [[number, attempt] for number in range(4) for attempt in range(5)]


def append_after_all_others(ledger, event, **fields):
    """Writes an event, as often as needed after what others have written."""
    while True:
        try:
            return ledger.append(event, **fields)
        except LedgerConflict:
            ledger.refresh()


def request_until_refused(folder, name):
    """How many requests a process can write, when it takes in what the others wrote."""
    ledger = opened(folder, {"budget": {"rows": 1}})
    for attempt in itertools.count():
        try:
            ledger.append("request", rows=[ledger.digest(f"{name} {attempt}")], steps=0)
            return 1
        except LedgerConflict:
            ledger.refresh()
        except (BudgetExceeded, ValueError):
            return 0


def race(folder):
    """How many of two processes spend the last unit."""
    children, writes = [], os.pwrite

    def late(*words):
        """A write that begins a while after the comparison, as without a lock it may."""
        time.sleep(0.003)
        return writes(*words)

    ready, go = os.pipe()
    for name in ("first", "second"):
        if (child := os.fork()) == 0:
            wins = 9  # an error
            try:
                os.read(ready, 1)
                os.pwrite = late
                wins = request_until_refused(folder, name)
            finally:
                os._exit(wins)
        children.append(child)
    os.write(go, b"!!")
    os.close(ready)
    os.close(go)
    return sum(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children)


def test_two_processes_never_spend_the_last_unit_twice(tmp_path, full):
    for number in range(1000 if full else 15):
        folder = tmp_path / str(number)
        opened(folder, {"budget": {"rows": 1}})
        assert race(folder) == 1
        ledger = opened(folder, {"budget": {"rows": 1}})
        assert ledger.budget.remaining(ledger.history)["rows"] == 0
