"""Pipes closed early, full disks, pipes without a writer, letters that a terminal obeys."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from simulators.data.files import npz
from simulators.data.table import table

CLOSED = 128 + signal.SIGPIPE
FULL = Path("/dev/full")


def exit_code(*arguments, **streams):
    command = [sys.executable, "-m", "forgetproof", *arguments]
    return subprocess.run(command, **{"stdout": subprocess.DEVNULL, **streams}).returncode


def closed_pipe():
    interpretation, writing = os.pipe()
    os.close(interpretation)
    return writing


@pytest.mark.parametrize("arguments", [["claims"], ["--help"]], ids=["a command", "help"])
def test_a_reader_that_has_enough_is_no_verdict(arguments):
    writing = closed_pipe()
    try:
        assert exit_code(*arguments, stdout=writing, stderr=subprocess.DEVNULL) == CLOSED
    finally:
        os.close(writing)


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
def test_a_full_disk_changes_no_exit_code():
    with FULL.open("wb") as full:
        assert exit_code("bound", "nobody.thm1", stderr=full) == 2
        assert exit_code("claims", "--paper", "mini", stdout=full, stderr=full) == 2


def test_letters_that_a_terminal_obeys_are_shown_as_escapes(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a\x1b[2J,kind\n1,no\x1b[31m\n2,yes\n3,yes\n4,no\x1b[31m\n")
    found = table(path)
    assert found.class_names == ("no\\x1b[31m", "yes")
    assert found.feature_names == ("a\\x1b[2J",)
    np.savez(tmp_path / "t.npz", X=np.eye(2), y=["a\x07", "b"])
    assert npz(tmp_path / "t.npz").class_names == ("a\\x07", "b")
