"""What long commands say while they work, and what Ctrl-C leaves of them."""

import json
import re
from pathlib import Path

import pytest

from bounds.sglu.problem import Langevin
from forgetproof import progress
from forgetproof.cli import COMMANDS, run
from forgetproof.commands import demo, lint
from verify.search import run as searching
from verify.showcases.work import Work

ROOT = Path(__file__).resolve().parents[3]
MECHANISMS = [
    ROOT / "docs" / "mechanisms" / f"{name}.mechanism.json"
    for name in ("right-curve", "right-langevin", "wrong-flat-curve")
]
TABLE = (ROOT / "docs" / "long-work.md").read_text("utf-8")
PATH = "--data synthetic --rows 20 --dimension 2 --epochs 2"
STREAM = "--data synthetic --rows 20 --dimension 2 --rounds 3 --trials 1"
COUNTED = {
    "simulate langevin --data synthetic --rows 20 --dimension 2 --sigma 1 --trials 2",
    "simulate online --rounds 5 --trials 2",
    f"simulate mini {PATH} --k 1",
    f"simulate recollection {PATH}",
    f"simulate safe {STREAM}",
    f"simulate tracking {STREAM} --steps 3",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_says_of_each_command_how_long_it_takes(name):
    (row,) = re.findall(rf"^\|[^|]*`{name}`[^|]*\|.*\|$", TABLE, re.M)
    assert len(row.split("|")) == 6
    assert row.split("|")[2].strip()


@pytest.mark.parametrize("words", sorted(COUNTED), ids=lambda words: words.split()[1])
def test_a_simulation_counts_its_steps(capsys, monkeypatch, words):
    moves = []
    monkeypatch.setattr(progress.WaitingLine, "move", lambda self, *where: moves.append(where))
    assert run(words.split()) == 0
    assert moves
    assert all(0 < done <= total for done, total in moves)
    # Each loop came to its end.
    assert any(done == total for done, total in moves)


def interrupted(capsys, *words):
    assert run([str(word) for word in words]) == 130
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    return out, err


def stop_at(monkeypatch, owner, name, count):
    """Ctrl-C at so many calls of a function."""
    genuine, calls = getattr(owner, name), []

    def counting(*arguments, **options):
        calls.append(1)
        if len(calls) == count:
            raise KeyboardInterrupt
        return genuine(*arguments, **options)

    monkeypatch.setattr(owner, name, counting)


def test_lint_shows_what_was_checked_and_writes_no_log(capsys, monkeypatch, tmp_path):
    stop_at(monkeypatch, lint, "lint_source", 3)
    sarif = tmp_path / "lint.sarif"
    out, err = interrupted(capsys, "lint", *MECHANISMS, "--sarif", sarif)
    assert err == "forgetproof: interrupted; 2 of 3 mechanisms were checked\n"
    assert out.splitlines()[-1].startswith("2 documents: ")
    assert not sarif.exists()


def test_search_shows_what_was_found_and_begins_no_other_form(capsys, monkeypatch):
    few = ["--seconds", "5", "--evaluations", "40"]
    assert run(["search", "sglu.lem3.4", *few, "--json"]) in (0, 1)
    all_forms = json.loads(capsys.readouterr().out)["findings"]
    assert len(all_forms) > 1
    genuine = searching.maximise

    def cut_short(*arguments, **options):
        genuine(*arguments, **options)
        return False  # as after Ctrl-C

    monkeypatch.setattr(searching, "maximise", cut_short)
    out, err = interrupted(capsys, "search", "sglu.lem3.4", *few, "--json")
    assert err == "forgetproof: interrupted; forms searched until then: 1\n"
    (finding,) = json.loads(out)["findings"]
    assert finding["form"] == all_forms[0]["form"]


def test_search_that_found_nothing_says_only_that(capsys, monkeypatch):
    stop_at(monkeypatch, searching, "maximise", 1)
    out, err = interrupted(capsys, "search", "sglu.lem3.4", "--json")
    assert (out, err) == ("", "forgetproof: interrupted; forms searched until then: 0\n")


LANGEVIN = ["--delta", "1e-5", "--n", "100", "--batch-size", "10", "--smoothness", "1"]
LANGEVIN += ["--strong-convexity", "0.1", "--json"]
QUESTIONS = {"noise": ["--epsilon", "1"], "privacy": ["--sigma", "1"]}


@pytest.mark.parametrize("question", QUESTIONS)
def test_accountants_that_had_answered_are_shown(capsys, monkeypatch, question):
    words = [question, "langevin", *QUESTIONS[question], *LANGEVIN]
    assert run(words) == 0
    everything = json.loads(capsys.readouterr().out)["accountants"]
    assert list(everything) == ["printed", "corrected", "exact"]
    stop_at(monkeypatch, Langevin, {"noise": "_noise", "privacy": "_claim"}[question], 3)
    out, err = interrupted(capsys, *words)
    assert err.startswith("forgetproof: interrupted; not asked to the end: ")
    left = err.strip().partition("end: ")[2].split(", ")
    shown = json.loads(out)["accountants"]
    assert [*shown, *left] == list(everything)
    assert shown == {name: everything[name] for name in shown}
    assert shown


def test_before_the_first_answer_there_is_nothing_to_show(capsys, monkeypatch):
    stop_at(monkeypatch, Langevin, "_noise", 1)
    out, err = interrupted(capsys, "noise", "langevin", "--epsilon", "1", *LANGEVIN)
    assert (out, err) == ("", "forgetproof: interrupted\n")


@pytest.mark.parametrize("kept", [True, False])
def test_reproduce_keeps_the_parts_that_are_finished(capsys, monkeypatch, tmp_path, kept):
    stop_at(monkeypatch, Work, "do", 2)
    words = ["reproduce", "hf.table4", "--data", "digits", "--quick"]
    words += ["--out", tmp_path] * kept
    out, err = interrupted(capsys, *words)
    assert out == ""
    file = tmp_path / "hf.table4.parts.jsonl"
    if kept:
        assert f"kept in {file}: the same command with --resume continues" in err
        assert len(file.read_text("utf-8").splitlines()) == 2
    else:
        assert err == "forgetproof: interrupted; nothing is kept without --out\n"


def test_demo_names_the_command_that_continues(capsys, monkeypatch, tmp_path):
    class NoShowcase:
        """One that has nothing to show."""

        unread, mnist, lines = {}, None, ()

        def show(self, chosen, seed):
            return self

    def stopped(paper, out, seed, jobs, shown, advance):
        advance(1, 60, "sglu.lem3.4")
        raise KeyboardInterrupt

    monkeypatch.setattr("verify.showcases.showcase", lambda name: NoShowcase())
    monkeypatch.setattr(demo, "_verified", stopped)
    _, err = interrupted(capsys, "demo", "--paper", "sglu", "--out", tmp_path)
    assert err == (
        f"forgetproof: interrupted; 1 claim finished, kept in {tmp_path / 'results.sqlite'}: "
        f"forgetproof verify --paper sglu --seed 0 --out {tmp_path} --resume continues\n"
    )
