"""`forgetproof check-bound` against experiments: along an observable, and in a run for each."""

import json

import pytest

from forgetproof.cli import run

# The mean of rows of curvature 1/20, in steps of size 2: every distance shrinks by .9 exactly.
MEAN = {
    "data": "synthetic",
    "loss": "quadratic",
    "rows": 40,
    "regularisation": 0.05,
    "sigma": 0.01,
    "radius": "inf",
    "step-size": 2,
    "trials": 8,
}
LANGEVIN = ["--against", "langevin", *(w for k, x in MEAN.items() for w in ("--with", f"{k}={x}"))]


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """No line on standard error says what takes long, however slow the machine is."""
    monkeypatch.setattr("forgetproof.progress.PATIENCE", 1e6)


def call(capsys, *words):
    code = run(["check-bound", *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize(("factor", "code"), [("1", 0), ("0.98", 1)])
def test_a_bound_that_a_run_attains_stands_and_98_per_cent_does_not(capsys, factor, code):
    along = ["--over", "T=1:8", *LANGEVIN, "--observable", "start_distance"]
    found, out, err = call(capsys, f"{factor}*W0*c**(J*T)", *along, "--json")
    assert (found, err) == (code, "")
    document = json.loads(out)
    assert document["verdict"] == {0: "not refuted", 1: "false"}[code]
    assert document["of_the_run"] == {"J": 1, "W0": 1, "c": pytest.approx(0.9)}
    assert [row["T"] for row in document["points"]] == list(range(1, 9))
    assert document["quantity"] == "start distance [length]"


def test_a_number_of_a_run_is_measured_in_a_run_for_each(capsys):
    each = ["--over", "K=0:4", "--vary", "unlearn-epochs", *LANGEVIN]
    each += ["--observable", "stationary_renyi"]
    # Of the law: both decay by c^(2 J) an epoch, from what the run without unlearning shows.
    code, out, _ = call(capsys, "x", "x=1e9", *each, "--json")
    rows = json.loads(out)["points"]
    first = rows[0]["measured"]
    assert code == 0
    bound = [f"{first!r}*c**(2*J*K)", *each]
    assert call(capsys, *bound, "--relation", "==", "--tolerance", "1e-6")[0] == 0
    assert call(capsys, f".98*{bound[0]}", *each)[0] == 1


def test_lower_limits_say_what_they_are(capsys):
    limits = ["--over", "K=1:2", "--vary", "unlearn_epochs", *LANGEVIN, "--json"]
    code, out, _ = call(capsys, "1e9", *limits, "--observable", "retrained_renyi")
    found = json.loads(out)
    assert (code, found["basis"]) == (0, "lower limit")
    assert found["remarks"][0].startswith("values are limits below what is meant")
    assert found["points"][0]["high"] == "inf"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--observable", "nothing"], "observable must be one of those that forgetproof simulate"),
        (["--observable", "far_distance"], "observable must be one that the run can show"),
        (["--observable", "stationary_renyi"], "over must be the name of a setting, with --vary"),
        (["--observable", "start_distance", "--over", "K=1:3"], "over must be one of T"),
        (["--observable", "start_distance", "--over", "T=90:99"], "over must have points of"),
        (["--observable", "start_distance", "--with", "colour=1"], "settings are NAME=VALUE of"),
        (["--observable", "start_distance", "--with", "trials=x"], "not a number or expression"),
        (["--observable", "start_distance", "--vary", "colour"], "vary must be an option of"),
        (["--observable", "start_distance", "--vary", "trials"], "vary must be an option of"),
        (["--observable", "start_distance", "--with", "delta=.1"], "delta must not be given"),
        (["--observable", "start_distance", "--vary", "learn_epochs"], "must be one number a run"),
    ],
    ids=lambda value: None,
)
def test_what_cannot_be_measured_is_refused_in_a_line(capsys, words, message):
    code, out, err = call(capsys, "c**T", "--over", "T=1:3", *LANGEVIN, *words)
    assert (code, out, err.count("\n")) == (2, "", 1), err
    assert message in err


def test_the_entry_of_a_paper_is_printed(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.csv").write_text("K,x\n1,0.5\n")
    words = ["1", "--over", "K=1:1", "--against", "run.csv", "--cite", "--paper", "2505.08557"]
    code, out, _ = call(capsys, *words)
    assert code == 0
    assert "@misc{olu,\n  title         = {{Online Learning and Unlearning}},\n" in out
    assert "author        = {Yaxi Hu and Bernhard Schölkopf and Amartya Sanyal},\n" in out
