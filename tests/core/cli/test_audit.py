"""`forgetproof audit`: exit codes, JSON, files and modules, one line for whatever goes wrong."""

import json

import pytest

from forgetproof.cli import run

CORRECT = "verify.audit.examples.correct:EXAMPLE"
BUGGY = "verify.audit.examples.bills_k_runs_k_minus_1:EXAMPLE"
MINE = """
import numpy as np
print("noise on stdout")
class Mine:
    data, request = 0.0, 1.0
    def learn(self, data, rng):
        return rng.normal()
    def unlearn(self, state, data, request, rng):
        {body}
    def retrain(self, data, request, rng):
        print("more noise")
        return rng.normal()
"""


def written(tmp_path, body="return state", text=MINE):
    path = tmp_path / "mine.py"
    path.write_text(text.format(body=body) if "{body}" in text else text)
    return f"{path}:Mine"


def complaint(capsys, *arguments):
    assert run(["audit", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if line.startswith("forgetproof: ")]
    assert len(lines) == 1
    assert "Traceback" not in err
    return lines[0]


def test_exit_codes_and_json(capsys):
    assert run(["audit", CORRECT, "--trials", "1000", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == "forgetproof/2"
    assert data["verdict"] == "not refuted"
    assert data["target"] == CORRECT
    assert data["claim"]["epsilon"] == 1
    assert run(["audit", BUGGY, "--trials", "3000"]) == 1
    assert "verdict      refuted" in capsys.readouterr().out
    assert run(["audit", BUGGY, "--sequential", "--json", "--block", "500"]) == 1
    assert json.loads(capsys.readouterr().out)["sequential"]["stopped"] < 4000


def test_options_replace_the_stated_claim(capsys):
    assert run(["audit", BUGGY, "--mu", "5", "--trials", "500", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["claim"] == {"kind": "gaussian", "mu": 5.0}
    assert run(["audit", BUGGY, "--renyi", "alpha*2", "--trials", "200"]) == 0
    assert run(["audit", BUGGY, "--renyi", "9", "--order", "4", "--trials", "200"]) == 0
    assert run(["audit", BUGGY, "--epsilon", "1/100", "--delta", "1e-5", "--trials", "2000"]) == 1


def test_a_file_that_prints(capsys, tmp_path):
    assert run(["audit", written(tmp_path), "--mu", "0", "--trials", "100", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["mu_lower"] == 0
    assert "noise on stdout" in err


def test_picture(tmp_path, capsys):
    target = tmp_path / "a.svg"
    assert run(["audit", CORRECT, "--trials", "100", "--plot", str(target)]) == 0
    assert "<svg" in target.read_text("utf-8")


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("return 1 / 0", "unlearn raised ZeroDivisionError: division by zero"),
        ("return float('nan')", "unlearn must return finite numbers, got nan"),
        ("return 'text'", "unlearn must return real numbers"),
        ("raise SystemExit(0)", "unlearn raised SystemExit"),
        ("import a_module_that_is_absent", "unlearn raised ModuleNotFoundError"),
        ("return [0.0] * rng.integers(1, 9)", "unlearn must return one shape"),
    ],
)
def test_functions_that_fail_take_one_line(capsys, tmp_path, body, word):
    line = complaint(capsys, written(tmp_path, body), "--mu", "1", "--trials", "100")
    assert word in line


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("raise RuntimeError('broken')", "raised RuntimeError: broken"),
        ("import torch_that_is_absent", "raised ModuleNotFoundError"),
        ("x = (", "raised SyntaxError"),
        ("Other = 3", "must have 'Mine'"),
        ("Mine = 3", "must have learn"),
        ("class Mine:\n  def __init__(self, x): pass", "Mine raised TypeError"),
    ],
)
def test_modules_that_fail_take_one_line(capsys, tmp_path, text, word):
    assert word in complaint(capsys, written(tmp_path, text=text), "--mu", "1")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["no_colon"], "target must be MODULE:OBJECT"),
        (["a.module.that.is.absent:X"], "raised ModuleNotFoundError"),
        (["absent.py:X"], "must be a file that exists"),
        ([CORRECT, "--epsilon", "-1"], "epsilon must be >= 0"),
        ([CORRECT, "--mu", "1", "--epsilon", "1"], "exactly one"),
        ([CORRECT, "--delta", "0.1"], "delta must come with epsilon"),
        ([CORRECT, "--renyi", "__import__('os')"], "not a number or expression"),
        ([CORRECT, "--renyi", "-alpha", "--trials", "100"], "curve(alpha) must be >= 0"),
        ([CORRECT, "--order", "2"], "order must come with renyi"),
        ([CORRECT, "--trials", "3"], "trials must be"),
        ([CORRECT, "--trials", "1.5"], "whole number"),
        ([CORRECT, "--confidence", "1"], "confidence must be"),
        ([CORRECT, "--plot", "x.txt"], "plot must end in"),
    ],
)
def test_bad_input_takes_one_line(capsys, arguments, word):
    assert word in complaint(capsys, *arguments)


def test_a_curve_is_named_by_its_values(capsys):
    run(["audit", "verify.audit.examples.correct:EXAMPLE", "--renyi", "alpha/2", "--trials", "100"])
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "claim        renyi, general: " + (
        "D_1.5 <= 0.75, D_2 <= 1, D_4 <= 2, D_8 <= 4, D_32 <= 16"
    )


def test_a_plot_that_cannot_be_written_fails_before_the_audit(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("verify.audit.audit_problem", lambda *_, **__: pytest.fail("was run"))
    place = tmp_path / "none" / "x.svg"
    assert run(["audit", "verify.audit.examples.correct:EXAMPLE", "--plot", str(place)]) == 2
    assert "plot must lie in a folder that exists" in capsys.readouterr().err
