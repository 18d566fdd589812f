"""`forgetproof start`: four questions, and a command that is one."""

import io
import itertools
import json
import shlex

import click
import pytest

from forgetproof.cli import group, run
from forgetproof.commands import start
from forgetproof.first_command import PUBLISHED, TRAINED, TRAINERS, Situation, first_command

PLACES = {"FILE": "docs/customers.csv", "COLUMN": "defaulted", "MODULE:OBJECT": "a.py:b"}
NUMBERS = {"SIGMA": "1", "N": "500", "B": "50", "STEPS": "100", "ETA": "0.1", "L": "0.25"}
NUMBERS |= {"LAMBDA": "0.05", "EPOCHS": "5", "SLOPE": "1", "RIDGE": "0.05"}
SITUATIONS = list(itertools.product(TRAINED, TRAINERS, PUBLISHED))
ALL = ["--train", "logistic", "--how", "sklearn", "--publish", "last"]
ALL += ["--epsilon", "1", "--removed", "20"]


def parsed(words):
    """The context of the command, with all its options read and none run."""
    command, context, rest = group, click.Context(group), shlex.split(words)[1:]
    while isinstance(command, click.Group):
        command = command.get_command(context, rest[0])
        assert command is not None, words
        context = command.make_context(rest[0], [], parent=context, resilient_parsing=True)
        rest = rest[1:]
    return command.make_context("command", rest, parent=context)


@pytest.mark.parametrize(("train", "how", "publish"), SITUATIONS)
def test_every_situation_has_a_command_that_takes_its_options(train, how, publish):
    found = first_command(Situation(train, how, publish, 1.0, 1e-5, 20))
    assert found.reason
    assert "\n" not in found.words + found.reason
    if found.python:
        assert compile(found.words, "line to paste", "eval")
        return
    words = " ".join({**PLACES, **NUMBERS}.get(word, word) for word in found.words.split())
    assert parsed(words).params
    # What is to be replaced is in capitals, and everything else is as it is typed.
    left = [word for word in words.split() if word.isupper()]
    assert left == []


def test_one_line_without_a_terminal(capsys):
    assert run(["start", *ALL]) == 0
    command, reason = capsys.readouterr().out.splitlines()
    assert command == (
        "forgetproof forget --data FILE --target COLUMN --removed 0:20 --epsilon 1 --delta 1e-05"
    )
    assert reason.startswith("Newton steps")
    assert run(["start", *ALL, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == {
        "schema": "forgetproof/2",
        "command": command,
        "python": False,
        "reason": reason,
    }


ASKED = {
    "logistic": ["how", "publish", "epsilon", "removed"],
    "ridge": ["how", "publish", "epsilon", "removed"],
    "network": ["how", "epsilon", "removed"],
    "own": ["epsilon"],
}


@pytest.mark.parametrize("train", TRAINED)
def test_without_a_terminal_all_that_lacks_is_told_at_once(capsys, train):
    assert run(["start", "--train", train]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    told = err.removeprefix("forgetproof: ").partition(" must be given")[0].split(", ")
    assert told == ASKED[train]
    assert all(f"--{name} " in err for name in told)


OUT_OF_RANGE = {
    "--epsilon": ("nan", "-1"),
    "--removed": ("0", "1.5"),
    "--delta": ("0", "1"),
    "--train": ("adam",),
}


@pytest.mark.parametrize(
    ("option", "value"),
    [(option, value) for option, values in OUT_OF_RANGE.items() for value in values],
)
def test_what_is_out_of_range_is_one_line(capsys, option, value):
    assert run(["start", *ALL, option, value]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert option.removeprefix("--") in err


@pytest.mark.parametrize(
    ("answers", "beginning"),
    [
        ("logistic\nopacus\nlast\n0.5\n14\n", "forgetproof.opacus_plan("),
        ("network\nloop\n\n20\n", "forgetproof noise clipped --epsilon 1 "),
        ("own\n2\n", "forgetproof audit MODULE:OBJECT --epsilon 2 "),
        ("nonsense\nridge\nsklearn\nlast\n\n\n", "forgetproof forget "),
    ],
)
def test_at_a_terminal_what_is_not_given_is_asked(capsys, monkeypatch, answers, beginning):
    monkeypatch.setattr(start, "_at_a_terminal", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    assert run(["start"]) == 0
    out, err = capsys.readouterr()
    # Click up to 8.1 writes a space to standard output for every prompt.
    assert out.lstrip().startswith(beginning)
    assert "What do you train?" in err


def test_an_end_of_input_is_an_interrupt(capsys, monkeypatch):
    monkeypatch.setattr(start, "_at_a_terminal", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(["start"]) == 130
