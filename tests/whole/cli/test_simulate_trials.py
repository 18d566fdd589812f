"""`simulate --jobs --dask --out --resume`: where trials run, and what is kept of them."""

import json

import pytest

from forgetproof.cli import run
from forgetproof.commands._kept_trials import MadeAgain
from simulators.runs import noisy, online_work
from verify import trials

SMALL = "--data synthetic --rows 20 --dimension 2 --sigma 0.01 --learn-epochs 1 --trials 9000"
WORDS = ["simulate", "langevin", *SMALL.split()]


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch):
    monkeypatch.setattr(noisy, "MOST_PIECE", noisy.LEAST_PIECE)


def said(capsys, *words):
    assert run([*WORDS, *map(str, words)]) == 0
    return capsys.readouterr().out


def test_a_folder_has_the_document_and_a_resumed_run_the_same_bytes(capsys, tmp_path, monkeypatch):
    plain = said(capsys)
    assert said(capsys, "--out", tmp_path) == f"{plain}  written: {tmp_path}/simulation.json\n"
    first = (tmp_path / "simulation.json").read_bytes()
    monkeypatch.setattr(noisy.NoisyRun, "trial_values", None)  # no trial is run again
    told = json.loads(said(capsys, "--out", tmp_path, "--resume", "--json"))
    assert (tmp_path / "simulation.json").read_bytes() == first
    assert json.loads(first) == told
    assert told["settings"]["trials"] == 9000
    assert told["algorithm"] == "langevin"


def test_rules_and_targets_are_made_again_for_other_processes(capsys):
    """In one process here: what is pickled for others makes the same run."""
    words = ["--step-size", "0.9/L", "--json"]
    column = {"data": "synthetic", "rows": 20, "dimension": 2, "sigma": 0.01, "learn_epochs": 1}
    make = MadeAgain("langevin", {**column, "trials": 9000, "step_size": "0.9/L"})
    told = json.loads(said(capsys, *words))
    assert float(make().run().step_size) == told["constants"]["step_size"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--resume", "resume needs out, the folder of the earlier run"),
        ("--jobs 2 --check", "jobs must not be given with --check"),
        ("--jobs 2 --dask tcp://127.0.0.1:1", "jobs must be 1 on a cluster"),
        ("--jobs 0", "jobs"),
        ("--out pyproject.toml", "out"),
        ("--quantiles .5,2", "quantiles"),
        ("--quantiles .5,", "quantiles"),
        ("--quantiles nan", "quantiles"),
        ("--quantiles .5 --check", "quantiles must not be given with --check"),
    ],
    ids=[
        "resume-nothing",
        "check",
        "jobs-on-a-cluster",
        "no-jobs",
        "a-file",
        "beyond-one",
        "no-number",
        "nan",
        "quantiles-of-a-check",
    ],
)
def test_options_that_do_not_go_together_are_refused(capsys, words, message):
    assert run([*WORDS, *words.split()]) == 2
    captured = capsys.readouterr()
    assert not captured.out
    assert captured.err.count("\n") == 1
    assert message in captured.err


def test_ctrl_c_says_what_is_kept_and_how_to_go_on(capsys, tmp_path, monkeypatch):
    take = trials.TrialsOnDisk.take

    def stop(disk, piece, statistics):
        if piece == 2:
            raise KeyboardInterrupt
        take(disk, piece, statistics)

    with monkeypatch.context() as patch:
        patch.setattr(trials.TrialsOnDisk, "take", stop)
        assert run([*WORDS, "--out", str(tmp_path)]) == 130
    out, err = capsys.readouterr()
    assert not out
    assert err == (
        f"forgetproof: interrupted; trials that ended are kept in {tmp_path}: "
        "the same command with --resume continues\n"
    )
    assert not (tmp_path / "simulation.json").exists()
    resumed = said(capsys, "--out", tmp_path, "--resume", "--json")
    assert json.loads(resumed) == json.loads(said(capsys, "--json"))


def test_runs_without_pieces_have_no_such_options(capsys):
    assert run(["simulate", "mini", "--k", "1", "--jobs", "2"]) == 2
    assert "--jobs" in capsys.readouterr().err


STREAMS = {
    "online": "--data quadratic --rounds 6 --dimension 2 --epsilon 1 --k 2 --trials 130",
    "safe": "--data wine --rounds 2 --trials 33",
    "tracking": "--data wine --rounds 2 --steps 2 --trials 33",
}


@pytest.mark.parametrize("name", STREAMS)
def test_every_algorithm_with_trials_is_resumed_and_has_quantiles(
    name, capsys, tmp_path, monkeypatch
):
    monkeypatch.setattr(online_work, "MOST_PIECE", 64)
    words = ["simulate", name, *STREAMS[name].split(), "--json"]
    folder = ["--out", str(tmp_path), "--quantiles", "0,.5,1"]
    assert run([*words, *folder]) == 0
    whole = capsys.readouterr().out
    first = (tmp_path / "trials.json").read_bytes()
    assert run([*words, *folder, "--resume"]) == 0
    assert capsys.readouterr().out == whole
    assert (tmp_path / "trials.json").read_bytes() == first
    told = json.loads(whole)
    for values in told.pop("quantiles").values():
        assert list(values) == ["0.0", "0.5", "1.0"]
        assert values["0.0"] <= values["0.5"] <= values["1.0"]
    assert run(words) == 0
    assert json.loads(capsys.readouterr().out) == told
