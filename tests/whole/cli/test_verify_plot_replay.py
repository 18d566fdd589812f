"""The commands verify, plot and replay: what they write, print, and return."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from forgetproof.cli import run
from tests.forks import forked
from verify import checks, runner
from verify.checks import Check
from verify.report import drawing

FAST = ("hf.table1.inverse", "olu.eq58")  # whose checks need no torch
FALSE = "olu.eq17.sum"  # nor does this one's


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working folder, so that no earlier report is found; reports come without plots.

    Drawing takes longer than everything else here, and tests of the report do it.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(drawing, "draw", lambda *_: drawing.Refusal("no plot"))
    return tmp_path / "forgetproof-report"


@pytest.fixture
def expected(tmp_path):
    """The shipped expectations with one verdict turned round."""
    source = Path(runner.__file__).parent / FALSE.partition(".")[0] / "expected.json"
    table = json.loads(source.read_text("utf-8"))
    assert table[FALSE]["literal.printed"] == "false"
    table[FALSE]["literal.printed"] = "holds"
    path = tmp_path / "flipped.json"
    path.write_text(json.dumps(table))
    return path


def break_check(monkeypatch, id, error):
    """Makes the check of one claim raise."""

    def check(ctx):
        raise error
        yield

    shipped = checks.check

    def found(claim):
        return Check(id, check) if claim.id == id else shipped(claim)

    monkeypatch.setattr(checks, "check", found)


def words(document):
    return {
        f"{c['id']}.{v['interpretation']}.{v['form']}": v["word"]
        for c in document["claims"]
        for v in c["verdicts"]
    }


def test_verify_writes_results_and_prints_a_table(folder, capsys):
    assert run(["verify", *FAST, FALSE]) == 0
    out, err = capsys.readouterr()
    assert not err
    lines = [line.split() for line in out.splitlines()]
    assert lines[0] == ["claim", "interpretation.form", "verdict", "basis", "slack", "attainment"]
    assert [FAST[0], "literal.printed", "holds"] in [line[:3] for line in lines]
    assert "3 claims, as expected" in out
    document = json.loads((folder / "results.json").read_text("utf-8"))
    assert document["schema"] == "forgetproof/2"
    assert document["summary"]["headlines"] == {"paper": {"false": 1, "holds": 2}}
    assert set(document["manifest"]["formulas"]) == {*FAST, FALSE}
    assert (folder / "report.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert {p.stem for p in (folder / "claims").iterdir()} == {*FAST, FALSE}
    assert (folder / "errata" / "olu.html").is_file()
    assert (folder / "claims.csv").read_text("utf-8").count(FALSE) == 2
    cases = sorted(p.name for p in (folder / "counterexamples").iterdir())
    assert cases == [f"{FALSE}.literal.printed.json"]
    assert not list(folder.rglob("*.part"))


def test_json_is_one_document_on_stdout_and_the_same_as_the_file(folder, capsys):
    assert run(["verify", FAST[0], "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == json.loads((folder / "results.json").read_text("utf-8"))
    worst = document["claims"][0]["verdicts"][0]["worst"]
    assert worst["measured"] <= worst["bound"] * (1 + 1e-9)


def test_a_flipped_expectation_is_a_surprise_and_changes_no_verdict(folder, expected, capsys):
    assert run(["verify", FALSE, "--json"]) == 0
    before = words(json.loads(capsys.readouterr().out))
    assert run(["verify", FALSE, "--expected", str(expected), "--json"]) == 1
    after = json.loads(capsys.readouterr().out)
    assert words(after) == before
    assert after["surprises"] == [
        {"claim": FALSE, "key": "literal.printed", "expected": "holds", "found": "false"}
    ]
    assert run(["verify", FALSE, "--expected", str(expected)]) == 1
    out = capsys.readouterr().out
    assert f"{FALSE} literal.printed: expected holds, found false" in out
    assert "claimed at most 0.200353" in out
    assert f"forgetproof replay {FALSE}" in out


def test_scaling_the_bounds_turns_the_suite_red(folder, capsys):
    assert run(["verify", FAST[0], "--scale", "1/2"]) == 1
    assert "found false" in capsys.readouterr().out
    assert run(["verify", FAST[0], "--scale", "1"]) == 0
    assert not list((folder / "counterexamples").iterdir())


def test_a_broken_check_is_told_in_one_line_and_in_full_in_the_files(folder, monkeypatch, capsys):
    break_check(monkeypatch, FAST[0], RuntimeError("out of luck"))
    assert run(["verify", *FAST]) == 3
    out, err = capsys.readouterr()
    (line,) = (line for line in out.splitlines() if line.startswith(f"broken: {FAST[0]}: "))
    assert line.endswith("RuntimeError: out of luck")
    assert "Traceback" not in out + err
    document = json.loads((folder / "results.json").read_text("utf-8"))
    assert "Traceback" in document["claims"][0]["error"]
    assert document["claims"][0]["headline"] == "error"
    assert "out of luck" in (folder / "claims" / f"{FAST[0]}.html").read_text("utf-8")


def test_a_missing_extra_names_the_pip_command(folder, monkeypatch, capsys):
    missing = ModuleNotFoundError("No module named 'torch'", name="torch")
    break_check(monkeypatch, FAST[0], missing)
    assert run(["verify", FAST[0]]) == 2
    assert "pip install 'forgetproof[sim]'" in capsys.readouterr().err


def test_without_the_report_extra_nothing_is_run(folder, tmp_path):
    code = (
        "import sys; sys.modules['jinja2'] = None\n"
        "from forgetproof.cli import run; sys.exit(run(['verify', 'sglu.lem3.4']))"
    )
    done = forked(["-c", code], cwd=folder.parent, env=environment())
    assert done.returncode == 2
    line = "forgetproof: jinja2 is missing: pip install 'forgetproof[report]', or of this clone pip"
    assert done.stderr.startswith(line)
    assert len(done.stderr.splitlines()) == 1
    assert not folder.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", "sglu.nothing"], "id must name a claim"),
        (["verify", "--paper", "nowhere"], "paper must be one of"),
        (["verify", "--profile", "slow"], "--profile"),
        (["verify", "--jobs", "0"], "--jobs"),
        (["verify", "--seed", "-1"], "seed must be >= 0"),
        (["verify", "--seed", "1/2"], "--seed"),
        (["verify", "--scale", "0"], "scale must be > 0"),
        (["verify", "--scale", "inf"], "scale must be > 0"),
        (["verify", "--memory", "some"], "--memory"),
        (["verify", "--expected", "missing.json"], "expected must be a JSON file"),
        (["verify", "sglu.lem3.4", "--out", "/dev/null/x"], "out must be a writable folder"),
        (["plot", "sglu.nothing", "--out", "x.svg"], "id must name a claim"),
        (["plot", "sglu.lem3.4", "--out", "x.jpg"], "out must end in"),
        (["plot", "sglu.lem3.4", "--out", "no/x.svg"], "out must be writable"),
        (["plot", "sglu.lem3.4", "--out", "x.svg", "--form", "best"], "form must be one of"),
        (["plot", "sglu.lem3.4", "--out", "x.svg", "c"], "NAME=VALUE"),
        (["plot", "sglu.lem3.4", "--out", "x.svg", "c=2"], "c must be"),
        (["replay", "sglu.nothing"], "id must name a claim"),
        (["replay", "missing.json"], "file must be a results.json"),
        (["replay", FAST[1], "--as-script"], "has no counterexample with a stand-alone"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(folder, arguments, message, capsys):
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert not out
    assert len(err.splitlines()) == 1
    assert message in err


def test_resume_runs_only_what_is_missing(folder, monkeypatch, capsys):
    assert run(["verify", FAST[0]]) == 0
    calls = []
    original = runner.run_claim
    monkeypatch.setattr(
        runner, "run_claim", lambda id, settings: calls.append(id) or original(id, settings)
    )
    assert run(["verify", *FAST, "--resume"]) == 0
    assert calls == [FAST[1]]
    assert run(["verify", *FAST, "--resume"]) == 0
    assert calls == [FAST[1]]
    assert "2 kept from an earlier run" in capsys.readouterr().out
    assert run(["verify", *FAST, "--resume", "--seed", "1"]) == 0
    assert len(calls) == 3


def test_a_resumed_run_reports_the_same_verdicts(folder, capsys):
    assert run(["verify", *FAST, FALSE, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert run(["verify", *FAST, FALSE, "--json", "--resume"]) == 0
    assert json.loads(capsys.readouterr().out)["claims"] == first["claims"]


def test_an_interrupt_keeps_what_is_finished(folder, monkeypatch, capsys):
    break_check(monkeypatch, FAST[1], KeyboardInterrupt())
    assert run(["verify", *FAST]) == 130
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert "1 claim finished" in err
    assert "--resume continues" in err
    monkeypatch.undo()
    monkeypatch.chdir(folder.parent)
    assert run(["verify", *FAST, "--resume"]) == 0
    assert "(1 kept from an earlier run)" in capsys.readouterr().out


def test_several_processes_give_the_same_document(folder, capsys):
    assert run(["verify", *FAST, "--json"]) == 0
    one = json.loads(capsys.readouterr().out)
    assert run(["verify", *FAST, "--json", "--jobs", "2"]) == 0
    two = json.loads(capsys.readouterr().out)
    for document in (one, two):
        for claim in document["claims"]:
            del claim["seconds"]
    assert one["claims"] == two["claims"]


def environment():
    root = str(Path(runner.__file__).parent.parent)
    return {**os.environ, "PYTHONPATH": root}


SLOW = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
from verify.checks import Check
from verify.olu import lemma_10
from forgetproof.cli import run
def check(ctx):
    print("started", flush=True)
    time.sleep(3600)
    yield
lemma_10.CHECKS = (Check(sys.argv[2], check),)
sys.exit(run(["verify", *sys.argv[1:]]))
"""


def test_control_c_ends_at_once_with_130(folder):
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, *FAST],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stdout.readline() == "started\n"
    process.send_signal(signal.SIGINT)
    try:
        _, err = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 130
    assert err.startswith("forgetproof: interrupted; 1 claim finished")
    with sqlite3.connect(folder / "results.sqlite") as db:
        assert db.execute("SELECT claim FROM finished").fetchall() == [(FAST[0],)]


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_plot_writes_the_file_that_the_suffix_names(folder, tmp_path, suffix, capsys):
    path = tmp_path / f"x.{suffix}"
    assert run(["plot", "sglu.lem3.4", "--out", str(path), "c=0.99", "K=[1, 10]"]) == 0
    magic = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[suffix]
    assert path.read_bytes().startswith(magic)


def test_plot_writes_more_files_of_one_picture_and_a_caption(folder, tmp_path, capsys):
    path = tmp_path / "x.svg"
    asked = ["plot", "sglu.lem3.4", "--out", str(path), "--also", "pdf", "--also", "svg"]
    assert run([*asked, "--caption", "c=0.99", "K=[1, 10]", "--form", "printed", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    names = ["x.svg", "x.pdf", "x.txt"]
    assert found["files"] == [str(tmp_path / name) for name in names]
    assert found["title"].startswith("Lemma 3.4 (sglu): HOLDS, ")
    assert found["x_label"] == "number of steps K [steps]"
    caption = (tmp_path / "x.txt").read_text("utf-8")
    assert caption.startswith(found["title"])
    again = "forgetproof plot sglu.lem3.4 c=0.99 'K=[1, 10]' --form printed --out x.svg"
    assert caption.endswith(f"{again}\n")
    assert run(["plot", "sglu.lem3.4", "--out", str(path), "--also", "jpg"]) == 2
    assert "'jpg' is not one of" in capsys.readouterr().err


def test_replay_reproduces_the_numbers_of_a_run(folder, capsys):
    assert run(["verify", FALSE, *FAST, "--seed", "5"]) == 0
    capsys.readouterr()
    for target in (
        FALSE,
        FAST[0],
        folder / "results.json",
        folder / "counterexamples" / f"{FALSE}.literal.printed.json",
    ):
        assert run(["replay", str(target), "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert document["reproduced"] is True
    assert [r["form"] for r in document["replays"]] == ["printed"]


def test_replay_shows_counterexamples_first_with_inputs_and_numbers(folder, capsys):
    assert run(["replay", "sglu.alg6"]) == 0
    out = capsys.readouterr().out
    assert out.index("literal.printed: false by counterexample") < out.index("literal.tight")
    for part in ("formula ", "sigma=9.703", "measured ", "claimed at most 1", "nothing: run"):
        assert part in out


def test_replay_of_a_scaled_run_uses_its_scale(folder, capsys):
    assert run(["verify", FAST[0], "--scale", "0.5"]) == 1
    case = folder / "counterexamples" / f"{FAST[0]}.literal.printed.json"
    assert run(["replay", str(case)]) == 0
    assert "false by counterexample" in capsys.readouterr().out


def test_replay_notices_numbers_that_do_not_come_back(folder, capsys):
    assert run(["verify", FALSE]) == 0
    path = folder / "counterexamples" / f"{FALSE}.literal.printed.json"
    case = json.loads(path.read_text("utf-8"))
    case["comparison"]["measured"] *= 1 + 1e-8
    path.write_text(json.dumps(case))
    capsys.readouterr()
    assert run(["replay", str(path)]) == 1
    assert "NOT reproduced" in capsys.readouterr().out


def test_replay_of_a_broken_check_is_one_line_and_exit_code_3(folder, monkeypatch, capsys):
    break_check(monkeypatch, FAST[0], RuntimeError("out of luck"))
    assert run(["replay", FAST[0]]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"forgetproof: the check of {FAST[0]} broke: ")
    assert line.endswith(".py: RuntimeError: out of luck")


@pytest.mark.parametrize(
    "text", ["[]", "{}", "no json", '{"schema": "other"}', '{"schema": "forgetproof/2"}']
)
def test_replay_refuses_files_that_are_not_ours(folder, tmp_path, text, capsys):
    path = tmp_path / "x.json"
    path.write_text(text)
    assert run(["replay", str(path)]) == 2
    assert "file must be a results.json or a counterexample" in capsys.readouterr().err


def test_scripts_run_alone(folder, tmp_path, capsys):
    """Every program printed for a counterexample runs isolated, in an empty folder."""
    assert run(["replay", FALSE, "--as-script"]) == 0
    program = tmp_path / "program.py"
    program.write_text(capsys.readouterr().out)
    empty = tmp_path / "empty"
    empty.mkdir()
    done = subprocess.run(
        [sys.executable, "-I", str(program)],
        cwd=empty,
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"]},
    )
    assert done.returncode == 0, done.stderr
    assert "k = 1: 1.000000, printed 0.454545" in done.stdout


def test_mixed_claims_and_small_attainments_stand_in_the_table_and_in_the_list(folder, capsys):
    assert run(["verify", "olu.eq7", "safe.lem1.d"]) == 0
    out = capsys.readouterr().out
    lines = [line.split() for line in out.splitlines()]
    assert ["olu.eq7", "mixed"] in lines
    assert ["all.printed", "false", "exact"] in lines
    assert "holds, closest case at 1.2 %" in out
    assert "1 stated by a paper: 1 mixed\n1 ours, beside the papers: 1 holds\n" in out
    assert run(["claims", "--paper", "safe", "--verdict", "holds"]) == 0
    listed = capsys.readouterr().out.splitlines()
    (mine,) = (line for line in listed if line.startswith("safe.lem1.d "))
    assert "holds, closest case at 1.2 %" in mine


def test_a_plot_says_the_verdict_of_the_last_run_and_else_of_the_recorded_one(folder, capsys):
    id = "sglu.lem3.6"

    def told(*more):
        assert run(["plot", id, "--out", "x.svg", "--json", *more]) == 0
        found = json.loads(capsys.readouterr().out)
        return found["verdict"], found["run"], found["marks"]

    assert told() == ("holds", False, [])
    assert run(["verify", id]) == 0
    capsys.readouterr()
    assert told() == ("holds", True, [])
    assert told("--run", "elsewhere") == ("holds", False, [])
    assert run(["plot", id, "--out", "x.svg", "--check", "--run", "elsewhere"]) == 2
    assert "run must not be given with --check" in capsys.readouterr().err
    assert run(["verify", id, "--scale", "2"]) == 1
    capsys.readouterr()
    assert told() == ("holds", True, [])
