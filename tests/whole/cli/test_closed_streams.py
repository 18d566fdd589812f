"""Pipes and readers of the commands about claims."""

import os

import pytest

from forgetproof.cli import run


@pytest.mark.parametrize(
    "arguments",
    [
        "noise contraction --epsilon 1 --delta 1e-5 --process",
        "noise online --epsilon 1 --strong-convexity 1 --lipschitz 1 --smoothness 3 --schedule",
        "verify mini.eq7.norm --expected",
    ],
    ids=["process", "schedule", "expected"],
)
def test_a_pipe_that_nobody_writes_to_is_refused(arguments, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    assert run([*arguments.split(), "pipe"]) == 2
    assert "a named pipe" in capsys.readouterr().err
