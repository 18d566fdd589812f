"""A killed run: its workers end with it, and --resume loses nothing and doubles nothing."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from forgetproof.cli import run
from tests.whole.verify.light import LIGHT

IDS = LIGHT[:16]
ROOT = Path(__file__).parents[3]


def rows(out, query):
    """Read as a new run would: a reader that may not write misses what a kill left in the log."""
    database = sqlite3.connect(f"file:{out / 'results.sqlite'}?mode=rw", uri=True, timeout=30)
    try:
        return database.execute(query).fetchall()
    finally:
        database.close()


def alive(session):
    """Processes of a session that still run, from /proc."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, sid = stat.read_text().rsplit(")", 1)[1].split()[:4]
        except OSError:
            continue
        if int(sid) == session and state != "Z":
            found.append(int(stat.parent.name))
    return found


def within(seconds, condition):
    """Whether it comes true; the seconds are only how long to wait for what is broken."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("jobs", [1, 2])
def test_kill_and_resume(tmp_path, capsys, jobs):
    command = [
        sys.executable,
        "-m",
        "forgetproof",
        "verify",
        *IDS,
        "--jobs",
        str(jobs),
        "--out",
        str(tmp_path),
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command,
        env=environment,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def one_is_finished():
        assert process.poll() in (None, 0)
        try:
            return bool(rows(tmp_path, "SELECT claim FROM finished"))
        except sqlite3.Error:
            return False

    try:
        assert within(600, one_is_finished)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert within(600, lambda: not alive(process.pid))
    finally:
        for left in alive(process.pid):
            os.kill(left, signal.SIGKILL)
    kept = {claim for (claim,) in rows(tmp_path, "SELECT claim FROM finished")}
    before = rows(tmp_path, "SELECT claim, position, body FROM evidence ORDER BY claim, position")
    assert {claim for claim, *_ in before} <= kept
    assert run(["verify", *IDS, "--out", str(tmp_path), "--resume"]) == 0
    out = capsys.readouterr().out
    assert f"({len(kept)} kept from an earlier run)" in out
    finished = rows(tmp_path, "SELECT claim FROM finished")
    assert len(finished) == len(IDS)
    after = rows(tmp_path, "SELECT claim, position, body FROM evidence ORDER BY claim, position")
    assert [row for row in after if row[0] in kept] == before
