"""Commands on a table as people have it: what is refused, and what is made of it, by every form."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import forgetproof
from forgetproof.cli import run
from simulators.runs.bounded import Bounded
from simulators.runs.langevin import LangevinUnlearning

ROOT = Path(__file__).resolve().parents[3]
CUSTOMERS = str(ROOT / "docs" / "customers.csv")
NOISE = ["noise", "langevin", "--regularisation", "0.01", "--epsilon", "1", "--delta", "1e-5"]
NOISE += ["--trials", "2", "--epochs", "2", "--batch-size", "200", "--intercept"]
FINE = ["--drop", "customer_id", "--missing", "mark"]
RANGES = {"age": "18:100", "income": "0:150000", "years_with_us": "0:40", "student": "0:1"}


def ended(capsys, *arguments):
    code = run([*map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def document(capsys, *more):
    code, out, err = ended(capsys, *NOISE, "--data", CUSTOMERS, *more, "--json")
    assert code == 0, err
    return json.loads(out)


def test_all_that_is_wrong_is_one_line_with_the_remedies(capsys):
    data = ["--data", CUSTOMERS, "--target", "defaulted"]
    code, out, err = ended(capsys, *NOISE, *data, "--scale", "file")
    assert (code, out) == (2, "")
    assert err == (
        "forgetproof: data customers.csv: column customer_id has another number in every row: "
        "--drop customer_id, or --keep customer_id if it is a measurement; empty cells: income "
        "173, years_with_us 90; add --missing mark or --missing drop\n"
    )
    # The document shows it as it is.
    page = (ROOT / "docs" / "data.md").read_text("utf-8")
    assert err in page
    code, out, err = ended(capsys, *NOISE, *data)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert len(err) <= 300
    for words in ("--drop", "--missing mark", "--scale file", "--range COLUMN=LOW:HIGH"):
        assert words in err


@pytest.mark.parametrize("command", ["noise", "privacy", "simulate"])
@pytest.mark.parametrize("option", ["-t", "--target", "--target-column"])
def test_the_target_by_its_name(capsys, command, option):
    asked = {
        "noise": ["noise", "online", "--epsilon", "1", "--rounds", "9", "--regularisation", "1"],
        "privacy": ["privacy", "langevin", "--sigma", "1", "--regularisation", "1"],
        "simulate": ["simulate", "langevin", "--sigma", "1", "--trials", "2"],
    }
    more = {"noise": ["--schedule", "s.csv"], "privacy": ["--delta", "1e-5"]}.get(command, [])
    words = [*asked[command], *more, "--data", CUSTOMERS, option]
    code, _, err = ended(capsys, *words, "nowhere")
    names = "customer_id, age, income, years_with_us, student, town, defaulted"
    if command != "noise":
        assert code == 2
        expected = f"target_column must be one of {names}, or a number from 1 to 7, got 'nowhere'"
        assert err == f"forgetproof: {expected}\n"
    code, _, err = ended(capsys, *words, "town")
    assert code == 2
    if command != "noise":
        assert "target town has 4 values; two are needed, or --classes A,B" in err


def test_a_law_stays_a_law_and_names_are_not_given_twice(capsys):
    data = ["--data", CUSTOMERS, *FINE, "--scale", "file"]
    code, out, _ = ended(capsys, *NOISE, *data, "--target", "T", "--radius", "2", "--json")
    assert (code, json.loads(out)["problem"]["target"]) == (0, "T")
    code, _, err = ended(capsys, *NOISE, *data, "--target", "defaulted", "-t", "defaulted")
    assert (code, err[:45]) == (2, "forgetproof: target_column must not be given ")
    plain = ["--n", "9", "--smoothness", "1", "--strong-convexity", ".1"]
    less = [*NOISE[:2], *NOISE[4:8]]
    code, _, err = ended(capsys, *less, *plain, "--target", "defaulted")
    assert code == 2
    assert "'defaulted' is not one of 'stationary', 'T', 'T+K'" in err


def test_public_ranges_from_the_line_and_from_a_file(capsys, tmp_path):
    listed = [word for name, range in RANGES.items() for word in ("--range", f"{name}={range}")]
    there = document(capsys, *FINE, *listed)
    file = tmp_path / "ranges.txt"
    file.write_text("".join(f"{name}={range}\n\n" for name, range in RANGES.items()))
    here = document(capsys, *FINE, "--ranges", file)
    assert here["rows"]["sha256"] == there["rows"]["sha256"]
    assert here["assumptions"]["from_data"] == []
    assert here["assumptions"]["constants"] == "public"
    mixed = document(capsys, *FINE, "--range", "age=18:100", "--scale", "file")
    assert mixed["assumptions"]["from_data"] == ["column_range"]
    # What is written on the line holds where the file says otherwise.
    file.write_text("age=0:1\n" + "".join(f"{n}={r}\n" for n, r in list(RANGES.items())[1:]))
    again = document(capsys, *FINE, "--ranges", file, "--range", "age=18:100")
    assert again["rows"]["sha256"] == there["rows"]["sha256"]
    for text, said in (
        ("age=1\n", "ranges must be COLUMN=LOW:HIGH with two numbers, got 'age=1' in "),
        ("\nage=2:1", f"ranges must have finite LOW < HIGH, got 'age=2:1' in {file} line 2"),
        ("", "ranges must be a file of ranges, got "),
    ):
        file.write_text(text)
        code, _, err = ended(capsys, *NOISE, "--data", CUSTOMERS, *FINE, "--ranges", file)
        assert code == 2
        assert err.startswith(f"forgetproof: {said}")


def test_the_larger_class_stands_by_its_name_beside_every_accuracy(capsys):
    code, out, err = ended(
        capsys, *NOISE, "--data", CUSTOMERS, *FINE, "--scale", "file", "--trials", "4"
    )
    assert code == 0, err
    cost = document(capsys, *FINE, "--scale", "file", "--trials", "4")["rows"]["cost"]
    assert cost["majority_name"] == "No"
    _, test = Bounded(
        data=CUSTOMERS,
        drop=["customer_id"],
        missing="mark",
        scale="file",
        regularisation=0.01,
        batch_size=200,
    ).parts
    assert cost["majority_class"] == float((test.targets == -1).mean())
    assert f", {cost['majority_class']:.4g} by always saying No; measured on the rows" in out
    assert "column_range, computed from the rows, which the model then shows" in out
    # Columns as they are: the rows are incomes and nothing else.
    kept = ["--keep", "customer_id", "--missing", "mark", "--scale", "none"]
    code, out, err = ended(capsys, *NOISE, "--data", CUSTOMERS, *kept)
    assert code == 0, err
    assert "warning: without noise the model is no better than always No" in out


@pytest.mark.parametrize("algorithm", ["langevin", "online", "recollection", "tracking"])
def test_simulations_say_what_is_no_better_than_the_larger_class(capsys, algorithm):
    asked = {
        "langevin": ["--sigma", "1e3", "--trials", "2"],
        "online": ["--rounds", "40", "--sigma", "1e3", "--trials", "2", "--test-share", "0.2"],
        "recollection": ["--epochs", "1", "--ratio", "0.01"],
        "tracking": ["--rounds", "2", "--steps", "1", "--trials", "2", "--share", "0.01"],
    }[algorithm]
    # Ids beside everything else: rows of norm 1 are ids, and nothing else is learned.
    plain = ["--keep", "customer_id", "--missing", "mark", "--scale", "none"]
    words = ["simulate", algorithm, "--data", CUSTOMERS, *plain, *asked]
    code, out, err = ended(capsys, *words)
    assert code == 0, err
    assert re.search(r"majority class|larger_class", out)
    told = re.findall(
        r"^warning: (.*) is no better than always naming the larger class$", out, re.M
    )
    at = {"langevin": "learned", "online": "the model", "tracking": "the model"}
    assert at.get(algorithm, "learned") in told


def test_in_python_every_form_is_the_file():
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(CUSTOMERS)
    halves = frame.drop(columns="defaulted"), frame["defaulted"]
    forms = {
        "file": CUSTOMERS,
        "frame": frame,
        "halves": halves,
        "mask": (halves[0], halves[1] == "Yes"),
        "words": (halves[0], halves[1].to_numpy()),
    }
    settings = {"drop": ["customer_id"], "missing": "mark", "scale": "file", "trials": 2}
    settings |= {"regularisation": 0.01, "batch_size": 200, "epochs": 2}
    answers = {
        name: forgetproof.noise_for("logistic", data, epsilon=1, delta=1e-5, **settings)
        for name, data in forms.items()
    }
    one = answers["file"]
    for name, answer in answers.items():
        assert answer.answers.best.noise == one.answers.best.noise, name
        assert answer.task.parts[0].sha256 == one.task.parts[0].sha256, name
        assert answer.cost["with"] == one.cost["with"], name
    simulated = LangevinUnlearning(
        data=frame, drop=["customer_id"], missing="mark", scale="file", sigma=0.1, trials=2
    )
    assert simulated.run().document()["data"]["n"] == 5000
    assert simulated.settings["data"] == "data"


def test_what_a_dataset_in_memory_has_no_use_for_is_refused():
    X, y = np.eye(4), [1.0, -1.0, 1.0, -1.0]
    for name, value in (("missing", "mark"), ("drop", ["a"]), ("target_column", "a")):
        with pytest.raises(ValueError, match=f"{name} must not be given with data in memory"):
            Bounded(data=(X, y), regularisation=1.0, **{name: value})
    with pytest.raises(ValueError, match="header must not be given with data in memory"):
        Bounded(data=(X, ["a", "b"] * 2), regularisation=1.0, header=True)
