"""Killed at random moments, a run loses nothing that was finished and doubles nothing."""

import json
import os
import sqlite3
from pathlib import Path

import pytest

from forgetproof.cli import run
from tests.forks import forked
from tests.whole.verify.light import LIGHT
from verify import runner
from verify.store import SCHEMA, Store

ROOT = Path(__file__).parents[3]
FEW = LIGHT[:16]

# The killed run is a fork, so that a kill falls into the checks and the writing rather than into
# the imports.  Its moment is one of its own processor time, which no other process shortens, and a
# share of what a whole run takes, which is short on one machine and long on another.  A quarter at
# most: what was finished stays, so that a longer share would leave nothing for the later kills.
# After every kill the file is opened as a new run would open it.
DRIVER = """
import json, os, random, signal, sys, time
from pathlib import Path
from verify import runner
from verify.store import Store

kills, out, ids = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
runner.run(ids)  # imports and caches
begun = time.process_time()
runner.run(ids, out=out / "whole")
whole = time.process_time() - begun
chance = random.Random(20)
for kill in range(kills):
    moment = chance.uniform(0.01, 0.25) * whole
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_PROF, moment)  # its default is death
        runner.run(ids, out=out, resume=True)
        os._exit(0)
    os.waitpid(child, 0)
    store = Store(out / "results.sqlite")
    with store._access() as db:
        finished = [r for r in db.execute("SELECT claim, seconds FROM finished ORDER BY rowid")]
        strays = db.execute(
            "SELECT COUNT(*) FROM evidence WHERE claim NOT IN (SELECT claim FROM finished)"
        ).fetchone()[0]
    store.close()
    print(json.dumps([finished, strays]), flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_kills_lose_nothing_and_double_nothing(tmp_path, full):
    kills = 20 if full else 8
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    told = forked(["-c", DRIVER, str(kills), str(tmp_path), *FEW], cwd=ROOT, env=environment)
    assert told.returncode == 0, told.stderr
    states = [json.loads(line) for line in told.stdout.splitlines()]
    assert len(states) == kills
    before = []
    for finished, strays in states:
        assert strays == 0
        # What was finished is still there, with the seconds of its first run: not run twice.
        assert finished[: len(before)] == before
        before = finished
    assert len({len(finished) for finished, _ in states}) > (3 if full else 2), (
        "the kills fell outside the run"
    )
    ran = []
    outcomes = runner.run(
        FEW, out=tmp_path, resume=True, progress=lambda done, total, id: ran.append(id)
    )
    assert sorted(ran) == sorted(set(FEW) - {id for id, _ in before})
    assert [o.evidence for o in outcomes] == [o.evidence for o in runner.run(FEW)]
    store = Store(tmp_path / "results.sqlite")
    with store._access() as db:
        assert db.execute("SELECT COUNT(*) FROM finished").fetchone() == (len(FEW),)
        rows = db.execute("SELECT COUNT(*) FROM evidence").fetchone()[0]
    store.close()
    assert rows == sum(len(o.evidence) for o in outcomes)


def test_a_full_disk_is_one_line_and_keeps_what_was_written(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("verify.store.SCHEMA", f"PRAGMA max_page_count = 40; {SCHEMA}")
    assert run(["verify", *FEW, "--out", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert len(err.strip().splitlines()) == 1
    assert "full" in err
    monkeypatch.undo()
    with sqlite3.connect(tmp_path / "results.sqlite") as db:
        kept = db.execute("SELECT COUNT(*) FROM finished").fetchone()[0]
    assert run(["verify", *FEW, "--out", str(tmp_path), "--resume"]) == 0
    told = capsys.readouterr().out
    assert (f"({kept} kept from an earlier run)" in told) == (kept > 0)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_one_line(tmp_path, capsys):
    tmp_path.chmod(0o500)
    assert run(["verify", LIGHT[0], "--out", str(tmp_path / "out")]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_a_folder_below_a_file_is_one_line(tmp_path, capsys):
    (tmp_path / "file").touch()
    assert run(["verify", LIGHT[0], "--out", str(tmp_path / "file" / "out")]) == 2
    err = capsys.readouterr().err
    assert err.startswith("forgetproof: out must be a writable folder for results")
    assert len(err.strip().splitlines()) == 1
