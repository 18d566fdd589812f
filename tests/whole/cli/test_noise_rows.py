"""`noise ... --data FILE` and `noise_for`: from rows to a noise, its cost, and code to paste."""

import json
import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
import torch

import forgetproof
from bounds.declared import PROBLEMS
from forgetproof.cli import run
from forgetproof.commands.noise import command as noise
from forgetproof.for_rows import settings
from forgetproof.json_schema import JsonSchema
from forgetproof.snippets.steps import step_sizes
from simulators.data.dataset import Dataset
from simulators.losses.logistic import Logistic
from simulators.runs import scores
from tests.whole.cli.test_answers import SCHEMA
from tests.whole.cli.test_questions import command

RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(60, 3))
WORDS = np.where(X @ [2.0, -1.0, 0.5] > 0, "yes", "no")
NUMBERS = X @ [1.0, 0.5, -1.0]
LOGISTIC = ["--loss", "logistic", "--regularisation", "0.05", "--trials", "4"]
LOGCOSH = [
    "--loss",
    "logcosh",
    "--regularisation",
    "0.05",
    "--row-norm",
    "2",
    "--target-bound",
    "1",
    "--clip-rows",
    "--trials",
    "4",
]
TARGET = ["--epsilon", "1", "--delta", "1e-5"]
ABLE = [name for name in PROBLEMS.names() if PROBLEMS.get(name).derived]
OWN = {
    "online": ["--schedule", "requests.csv", "--step-size", "0.5"],
    "newton-removal": ["--regularisation", "2"],
    "dp-sgd": ["--batches", "8", "--epochs", "5", "--unlearning-steps", "20"],
}


def table(path, targets):
    rows = ["a,b,c,kind"]
    rows += [",".join([*map(repr, x), str(t)]) for x, t in zip(X.tolist(), targets, strict=True)]
    path.write_text("\n".join(rows) + "\n")


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table(tmp_path / "words.csv", WORDS)
    table(tmp_path / "numbers.csv", NUMBERS.tolist())
    table(tmp_path / "three.csv", np.array(["x", "y", "z"])[np.arange(60) % 3])
    table(tmp_path / "one.csv", ["yes"] * 60)
    (tmp_path / "holes.csv").write_text("a,b,kind\n1,2,yes\n1,x,no\n")
    index = [f"{i},{x},{('no', 'yes')[i % 2]}" for i, x in enumerate(X[:, 0].tolist())]
    (tmp_path / "index.csv").write_text("\n".join(["row,a,kind", *index]) + "\n")
    (tmp_path / "pandas.csv").write_text("0,1,2,label\n.1,.2,.3,no\n.3,.2,.1,yes\n.4,.2,.3,no\n")
    (tmp_path / "zero.csv").write_text("a,b,kind\n" + "0,0,yes\n0,0,no\n" * 9)
    (tmp_path / "ranges.txt").write_text("b=-2:2\n\na=-1:1\n")
    (tmp_path / "requests.csv").write_text("index,time\n3,5\n5,14\n")


def ask(capsys, name, *more, data="words.csv", loss=LOGISTIC):
    code = run(["noise", name, *TARGET, "--data", data, *loss, *OWN.get(name, []), *more])
    out, err = capsys.readouterr()
    return code, out, err


def document(capsys, name, *more, **how):
    code, out, err = ask(capsys, name, *more, "--json", **how)
    assert code == 0, err
    return json.loads(out, parse_constant=pytest.fail)


def test_those_that_rows_can_pose():
    named = "langevin online recollection newton-removal safe tracking d2d dp-sgd"
    assert named.split() == ABLE
    for name in ABLE:
        kind = PROBLEMS.get(name)
        assert set(kind.derived) <= {each.name for each in fields(kind)}


@pytest.mark.parametrize("name", ABLE)
def test_one_command_from_a_file_to_a_noise(capsys, name):
    found = document(capsys, name)
    assert list(JsonSchema(SCHEMA).faults(found)) == []
    rows, best = found["rows"], found["recommended"]
    assert (rows["n"], rows["held_out"], rows["dimension"]) == (48, 12, 3)
    assert rows["bounds"] == {"row_norm": {"value": 1.0, "public": True}}
    assert found["accountants"][best]["valid"] is True
    assert found["assumptions"]["constants"] == "public"
    cost = rows["cost"]
    assert 0 <= cost["with"] <= 1
    assert cost["without"] > 0.7
    code, out, _ = ask(capsys, name)
    assert code == 0
    for line in (found["apply"], *(f"  {x}".rstrip() for x in rows["snippet"].splitlines())):
        assert line in [x.rstrip() for x in out.splitlines()]
    assert "row_norm = 1, public" in out
    assert f"{cost['with']:.4g} +- " in out


@pytest.mark.parametrize("name", [name for name in ABLE if name != "newton-removal"])
def test_numbers_have_a_bound_as_well(capsys, name):
    found = document(capsys, name, data="numbers.csv", loss=LOGCOSH)
    assert list(JsonSchema(SCHEMA).faults(found)) == []
    assert found["rows"]["bounds"]["target_bound"] == {"value": 1.0, "public": True}
    assert found["rows"]["cost"]["measure"] == "mean_squared_error"
    assert any("targets limited to 1" in line for line in found["rows"]["record"])


@pytest.mark.parametrize("name", ABLE)
def test_given_constants_give_the_same_noise(capsys, name):
    """What rows pose is the problem with its fields given."""
    found = document(capsys, name)
    kind = PROBLEMS.get(name)
    own = {each.name for each in fields(kind)} - {"error"}  # which is told as a fact, not given
    given = {k: v for k, v in found["problem"].items() if k in own}
    if name == "online":
        given |= {"schedule": {"index": [3, 5], "time": [5, 14]}, "step_size": 0.5}
    given = {k: float("inf") if v == "inf" else v for k, v in given.items() if v is not None}
    again = kind(**given)
    target = forgetproof.Target(1.0, 1e-5)
    best = found["recommended"]
    assert np.array_equal(again.noise(best, target).noise, found["accountants"][best]["sigma"])


@pytest.mark.parametrize("name", ABLE)
def test_what_a_noise_certifies_for_rows(capsys, name):
    found = document(capsys, name)
    best = found["accountants"][found["recommended"]]
    more = OWN.get(name, [])
    asked = ["--sigma", str(best["sigma"]), "--delta", "1e-5", "--data", "words.csv"]
    assert run(["privacy", name, *asked, *LOGISTIC, *more, "--json"]) == 0
    back = json.loads(capsys.readouterr().out)
    assert list(JsonSchema(SCHEMA).faults(back)) == []
    assert back["rows"] == found["rows"]
    epsilon = back["accountants"][found["recommended"]]["epsilon"]
    assert best["epsilon"] - 1e-9 <= epsilon <= 1


OTHER = {
    "data": "three.csv",
    "data_folder": "there",
    "target_column": "a",
    "header": "--no-header",
    "drop": "a",
    "keep": "a",
    "missing": "mark",
    "range": "b=-2:2",
    "ranges": "ranges.txt",
    "scale": "file",
    "intercept": "--intercept",
    "in_pieces": "--in-pieces",
    "classes": "yes,no",
    "rows": "30",
    "normalise": "--raw",
    "row_norm": "9",
    "target_bound": "3",
    "clip_rows": "--clip-rows",
    "loss": "hinge",
    "regularisation": "0.3",
    "epochs": "3",
    "batch_size": "6",
    "radius": "2",
    "shuffle": "--in-order",
    "test_share": "0.5",
    "trials": "5",
    "seed": "4",
    "device": "cuda",
}
REFUSED = {
    "data",
    "data_folder",
    "target_column",
    "header",
    "in_pieces",
    "target_bound",
    "clip_rows",
}
if not torch.cuda.is_available():
    REFUSED.add("device")


def test_every_setting_of_rows_is_read_or_refused_by_name(capsys):
    names = {each.name for each in settings(PROBLEMS.get("langevin"))}
    assert names == set(OTHER)
    before = document(capsys, "langevin")
    for name, value in OTHER.items():
        written = [value] if value.startswith("--") else [f"--{name.replace('_', '-')}", value]
        code, out, err = ask(capsys, "langevin", *written, "--json")
        assert (code == 2) == (name in REFUSED), (name, err)
        if code == 0 and name != "missing":  # no cell is
            assert json.loads(out) != before, f"{name} is dropped in silence"
        elif code == 2 and name not in ("data", "header", "target_column"):
            assert name in err


def test_settings_of_rows_need_rows(capsys):
    base = [
        "noise",
        "langevin",
        *TARGET,
        "--n",
        "12",
        "--smoothness",
        "1",
        "--strong-convexity",
        "0.1",
    ]
    shared = {each.name for each in fields(PROBLEMS.get("langevin"))} | {"data"}
    for name, value in OTHER.items():
        if name in shared:
            continue
        written = [value] if value.startswith("--") else [f"--{name.replace('_', '-')}", value]
        assert run([*base, *written]) == 2
        assert capsys.readouterr().err == f"forgetproof: {name} must not be given without data\n"


WRONG = {
    "a range without its ends": (["--range", "a=1"], "words.csv", "range must be COLUMN=LOW:HIGH"),
    "a range upside down": (["--range", "a=2:1"], "words.csv", "range must have finite LOW < HIGH"),
    "a range of no column": (["--range", "q=0:1"], "words.csv", "range must be one of a, b, c"),
    "an index": (
        [],
        "index.csv",
        "column row has another number in every row: --drop row, or --keep row if",
    ),
    "names that are numbers": ([], "pandas.csv", "header must be said for pandas.csv"),
    "no such column": (["--target-column", "q"], "words.csv", "'q'"),
    "a word among numbers": ([], "holes.csv", "row 3, column b: must be a finite number, got 'x'"),
    "one class": ([], "one.csv", "data one.csv: target kind has one value; two are needed"),
    "three classes": (
        [],
        "three.csv",
        "target kind has 3 values; two are needed, or --classes A,B",
    ),
    "a row above the bound": (["--row-norm", "1"], "words.csv", "row_norm must be at least"),
    "a row of zeros": ([], "zero.csv", "no zero row"),
    "nothing but zeros": (["--raw"], "zero.csv", "row_norm must be given"),
    "no file": ([], "gone.csv", "gone.csv"),
    "a constant that follows": (["--smoothness", "3"], "words.csv", "smoothness must not be given"),
    "both ways at once": (["--normalise", "--row-norm", "2"], "words.csv", "row_norm must not be"),
    "numbers for classes": (
        [],
        "numbers.csv",
        "target kind has 60 values; two are needed, or --classes A,B",
    ),
    "a share of nothing": (["--test-share", "0.001"], "words.csv", "test_share must hold out one"),
    "a batch of too many": (["--batch-size", "49"], "words.csv", "batch_size must be an integer"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_named_in_one_line(capsys, wrong):
    more, data, said = WRONG[wrong]
    code, out, err = ask(capsys, "langevin", *more, data=data)
    assert (code, out) == (2, "")
    assert err.startswith("forgetproof: ")
    assert len(err.strip().splitlines()) == 1
    assert said in err


@pytest.mark.parametrize("name", ["tracking", "recollection", "newton-removal"])
def test_a_loss_without_the_constants_is_refused(capsys, name):
    loss = ["--loss", "ridge"] + ([] if name == "newton-removal" else LOGISTIC[2:4])
    code, _, err = ask(capsys, name, data="numbers.csv", loss=loss)
    assert code == 2
    assert err.startswith("forgetproof: loss ridge with regularisation = ")
    assert f" does not suit {name}: " in err
    if name == "newton-removal":
        code, _, err = ask(capsys, name, data="three.csv", loss=["--loss", "softmax"])
        assert code == 2
        assert "loss must read one score of a row for newton-removal, got softmax with 3" in err
    assert ask(capsys, "langevin", loss=LOGISTIC[:2])[2] == (
        "forgetproof: regularisation must be given with data and a named loss, got none\n"
    )


def test_what_was_measured_is_said_everywhere(capsys):
    found = document(capsys, "langevin", "--raw")
    largest = np.linalg.norm(X, axis=1).max()
    assert found["rows"]["bounds"]["row_norm"] == {"value": pytest.approx(largest), "public": False}
    assert found["assumptions"]["from_data"] == ["row_norm"]
    assert found["assumptions"]["constants"] == "data-dependent"
    assert "which sigma then shows" in ask(capsys, "langevin", "--raw")[1]
    loss = ["--loss", "ridge", "--regularisation", "0.1", "--radius", "2"]
    found = document(capsys, "langevin", data="numbers.csv", loss=loss)
    assert found["assumptions"]["from_data"] == ["target_bound"]
    free = ["--loss", "logcosh", "--regularisation", "0.1"]
    found = document(capsys, "langevin", data="numbers.csv", loss=free)
    assert found["assumptions"]["from_data"] == []  # the slope of this loss is bounded anyway


def test_rows_beyond_the_bound_are_shortened_and_no_more(capsys):
    found = document(capsys, "langevin", "--row-norm", "1", "--clip-rows")
    assert any("rows shortened to norm 1" in line for line in found["rows"]["record"])
    scaled = document(capsys, "langevin")
    best = [d["accountants"]["exact"]["sigma"] for d in (found, scaled)]
    assert best[0] == best[1]  # the bound is the same, and nothing else counts
    longer = document(capsys, "langevin", "--row-norm", "9")
    assert longer["accountants"]["exact"]["sigma"] > best[0]


def test_no_noise_no_cost_and_nothing_to_paste(capsys):
    found = document(capsys, "newton-removal", "--regularisation", "0.001")
    assert found["recommended"] is None
    assert (found["rows"]["cost"], found["rows"]["snippet"]) == (None, None)
    assert (
        document(capsys, "tracking", "--test-share", "0", loss=LOGISTIC[:4])["rows"]["cost"] is None
    )


def test_a_derived_option_is_required_only_without_rows():
    asked = {option.name: option.required for option in command(noise, "langevin").params}
    assert asked["n"]
    assert asked["smoothness"]
    assert not asked["data"]


def test_noise_for_takes_what_is_in_memory():
    labels = np.where(WORDS == "yes", 1.0, 0.0)
    found = forgetproof.noise_for(
        "logistic", (X, labels), regularisation=0.05, batch_size=12, epsilon=1, delta=1e-5
    )
    assert found.problem.algorithm == "langevin"
    assert found.answers.best.valid
    assert found.cost["standard_error"] >= 0
    again = forgetproof.noise_for(
        found.task.made, Dataset(X, labels), batch_size=12, epsilon=1, delta=1e-5
    )
    assert again.answers.best.noise == found.answers.best.noise
    for given, said in (
        ({"algorithm": "erm"}, "algorithm must be one of langevin, online"),
        ({"algorithm": "no"}, "got 'no'"),
        ({"hypothesi": "x"}, "hypothesi must not be given"),
        ({"smoothness": 2.0}, "smoothness must not be given with data"),
        ({"loss": 3}, "loss must be logistic"),
        ({"data": 3}, "data must be a Dataset"),
    ):
        call = {"loss": "logistic", "data": (X, labels), "regularisation": 0.1, "epsilon": 1.0}
        with pytest.raises(ValueError, match=said):
            forgetproof.noise_for(**{**call, "delta": 1e-5, **given})


OF_CLASSES = ("logistic", "hinge", "softmax")
OF_NUMBERS = ("ridge", "huber", "logcosh", "quadratic")


@pytest.mark.parametrize("loss", [*OF_CLASSES, *OF_NUMBERS])
@pytest.mark.parametrize("name", [n for n in ABLE if n not in ("newton-removal", "dp-sgd")])
def test_the_code_to_paste_runs_from_the_file(capsys, name, loss):
    """Without noise it comes to the model whose cost is told."""
    if loss == "ridge" and name not in ("langevin", "online"):
        pytest.skip("the slope of ridge is bounded in a ball, which these do not project to")
    bounds = {"ridge": ["--target-bound", "9", "--radius", "9"], "huber": ["--target-bound", "9"]}
    options = ["--loss", loss, "--regularisation", "0.05", *bounds.get(loss, [])]
    file = "words.csv" if loss in OF_CLASSES else "numbers.csv"
    rows = document(capsys, name, loss=options, data=file)["rows"]
    program = rows["snippet"].replace("np.random.default_rng()", "quiet")
    # Before the request: what is released afterwards has other rows.
    program = re.split(r"^(?:# a request|sizes = )", program, flags=re.MULTILINE)[0]
    names = {"quiet": Quiet}
    exec(program, names)
    w, test = names["w"], names["test"]
    measured = scores.tested(w[None], test) if loss != "quadratic" else {"risk": risk(w, test)}
    assert measured[rows["cost"]["measure"]] == pytest.approx(rows["cost"]["without"], rel=1e-6)


class Quiet:
    """A generator of noise 0."""

    @staticmethod
    def standard_normal(shape):
        return np.zeros(shape)


def risk(w, test):
    return float(0.05 / 2 * w @ w - test.features.mean(axis=0) @ w)


def test_all_code_to_paste_runs_as_pasted_in_a_fresh_process(capsys, tmp_path):
    programs = [document(capsys, name)["rows"]["snippet"] for name in ABLE]
    names = []
    for place, program in enumerate(programs):
        names.append(f"pasted_{place}")
        Path(f"{names[-1]}.py").write_text(program, encoding="utf-8")
    # One process, since each costs the start of torch; every program has names of its own.
    lines = ["import runpy", *(f"print(len(runpy.run_path('{name}.py')))" for name in names)]
    environment = {**os.environ, "PYTHONPATH": str(Path(forgetproof.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    # What a program prints itself begins with a word.
    counts = [line for line in done.stdout.splitlines() if line.isdecimal()]
    assert len(counts) == len(ABLE)


def test_a_newton_removal_comes_to_the_minimum_over_the_rows_that_stay(capsys):
    rows = document(capsys, "newton-removal")["rows"]
    program = rows["snippet"].replace("np.random.default_rng()", "quiet")
    names = {"quiet": Quiet}
    exec(program, names)
    kept, gradient = names["kept"], names["gradient"]
    before = np.linalg.norm(gradient(names["w"], np.arange(len(names["X"]))))
    assert before < 1e-14
    w, released = (np.linalg.norm(gradient(names[each], kept)) for each in ("w", "released"))
    # One Newton step leaves the square of what it met, times a constant.
    assert released < w**2


def test_rows_and_a_loss_from_memory_keep_their_names_in_the_code():
    labels = np.where(WORDS == "yes", 1.0, -1.0)
    data, loss = Dataset(X, labels), Logistic(regularisation=0.05, clip=0.5)
    answer = forgetproof.noise_for(loss, data, batch_size=12, epsilon=1, delta=1e-5)
    names = {"quiet": Quiet, "data": data, "loss": loss}
    exec(answer.snippet.replace("np.random.default_rng()", "quiet"), names)
    test = names["test"]
    hits = np.where(test.features @ names["w"] >= 0, 1.0, -1.0) == test.targets
    assert hits.mean() == pytest.approx(answer.cost["without"])


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(
    ("steps", "shown", "lines"),
    [
        ([0.5, 0.5, 0.5], ("0.5", "0.5"), 0),
        ([0.5, 0.25, 0.125], ("0.5 * 0.5 ** t", "0.5 * 0.5 ** (t - 1)"), 0),
        ([6.0, 3.0, 2.0], ("6.0 / (t + 1)", "6.0 / t"), 0),
        ([2.0, 2.0**0.5, 2 / 3**0.5], ("2.0 / (t + 1) ** 0.5", "2.0 / t ** 0.5"), 0),
        ([0.5, 0.25, 0.2], ("eta[t]", "eta[t - 1]"), 1),
    ],
)
def test_code_to_paste_takes_the_steps_as_they_are(steps, shown, lines, first):
    code, before = step_sizes(np.array(steps), first)
    assert (code, len(before)) == (shown[first], lines)
    names = {}
    exec("\n".join(before), names)
    values = [eval(code, {**names, "t": first + t}) for t in range(3)]
    assert values == pytest.approx(steps, rel=1e-12)
