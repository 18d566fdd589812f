"""`forgetproof forget`: from a table and the rows that leave to what is handed over."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from forgetproof.cli import run
from forgetproof.deletion.requests import rows_of_numbers
from forgetproof.deletion.task import TableDeletion

pytest.importorskip("flint")
ROOT = Path(__file__).parents[3]
CUSTOMERS = str(ROOT / "docs" / "customers.csv")
TABLE = {"data": CUSTOMERS, "target_column": "defaulted", "drop": ("customer_id",)}
READ = {**TABLE, "missing": "mark", "scale": "file"}
WORDS = f"forget --data {CUSTOMERS} --target defaulted --epsilon 1 --delta 1e-5".split()
MENDED = ["--drop", "customer_id", "--missing", "mark", "--scale", "file"]


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """The folder, and what was printed."""
    folder = tmp_path_factory.mktemp("saved") / "out"
    import contextlib
    import io

    with contextlib.redirect_stdout(io.StringIO()) as out:
        code = run([*WORDS, *MENDED, "--removed", "0:20", "--save", str(folder)])
    assert code == 0
    return folder, out.getvalue().splitlines()


def test_the_answer_in_six_lines(saved):
    _, lines = saved
    assert lines[0] == (
        "forget: the released model is (1, 1e-05)-indistinguishable from exact retraining without "
        "20 of 4000 rows"
    )
    assert lines[1] == "  noise      0.001 in every coefficient, public"
    found = re.fullmatch(
        r"  accuracy   (0\.\d{3}) on 1000 rows held out; (0\.\d{3}) without noise \(secret\); "
        r"(0\.\d{3}) by always saying No",
        lines[2],
    )
    released, plain, always = map(float, found.groups())
    assert abs(released - plain) <= 0.002
    assert 0.76 < always < 0.81 < released + 0.02
    assert re.match(r"  cost       \d+ Newton steps? \(secret\), \S+ s; ", lines[3])
    assert lines[4].startswith(
        "  rows       data-dependent: column_range, column_words (give --range age="
    )
    assert lines[5].startswith("  hand over  ")
    assert len(lines) == 6


def test_its_files_and_the_checker(saved, capsys):
    folder, _ = saved
    names = {"deletion.md", "deletion.html", "unlearning.json", "model.json", "forget.py"}
    assert {each.name for each in folder.iterdir()} == names
    assert run(["check", str(folder / "unlearning.json")]) == 0
    assert "verified: the model's file" in capsys.readouterr().out
    assert run(["check", str(folder / "unlearning.json"), "sigma=0.0009"]) == 1
    page = (folder / "deletion.md").read_text()
    assert "Column ranges were taken from the file" in page
    assert len(page.splitlines()) <= 60
    columns = json.loads((folder / "model.json").read_text())["columns"]
    assert [each["name"] for each in columns][:2] == ["age", "income"]


def test_its_code_runs_as_pasted(saved):
    folder, lines = saved
    done = subprocess.run(
        [sys.executable, str(folder / "forget.py")],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    accuracy = float(re.search(r"accuracy (0\.\d{3}) on 1000 rows", done.stdout).group(1))
    assert accuracy == pytest.approx(float(lines[2].split()[1]), abs=0.005)


def test_all_that_is_wrong_stands_in_one_line_with_the_remedies(capsys):
    assert run([*WORDS, "--scale", "file", "--removed", "0:20"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert len(err) <= 300
    assert "--drop customer_id" in err
    assert "--missing mark" in err


def test_rows_by_the_values_of_a_column_that_was_left_out(tmp_path):
    ids = [line.split(",")[0] for line in Path(CUSTOMERS).read_text().splitlines()[1:21]]
    (tmp_path / "ids.txt").write_text("\n".join(ids) + "\n\n")
    where = TableDeletion(**READ, removed_where=f"customer_id={tmp_path / 'ids.txt'}")
    assert where.deletions.tolist() == list(range(20))
    assert (where.test_rows == TableDeletion(**READ, removed="0:20").test_rows).all()
    (tmp_path / "ids.txt").write_text("u17\n" + ids[0])
    with pytest.raises(ValueError, match="got 1 that no row has, first 'u17'"):
        _ = TableDeletion(**READ, removed_where=f"customer_id={tmp_path / 'ids.txt'}").deletions


def test_numbers_are_those_of_the_rows_of_the_table():
    """Rows with an empty cell are left out, and those that leave keep their numbers."""
    task = TableDeletion(**TABLE, missing="drop", scale="file", removed="0:40")
    assert len(task.rows) < 5000
    assert (task.table.rows[task.deletions] < 40).all()
    assert len(task.deletions) == (task.table.rows < 40).sum() < 40


def test_no_row_that_leaves_is_held_out():
    task = TableDeletion(**READ, removed="100:4800")
    assert not np.isin(task.test_rows, task.deletions).any()
    assert len(task.test_rows) + len(task.training_rows) == 5000
    assert 0 < len(task.test_rows) < 300


@pytest.mark.parametrize(
    ("text", "rows"),
    [("0:3", [0, 1, 2]), ("7", [7]), ("9, 2,4", [2, 4, 9])],
    ids=["range", "number", "numbers"],
)
def test_requests(text, rows):
    assert rows_of_numbers(text, 10).tolist() == rows


def test_requests_in_a_file(tmp_path):
    (tmp_path / "rows.txt").write_text("3\n1\n")
    assert rows_of_numbers(str(tmp_path / "rows.txt"), 10).tolist() == [1, 3]


MANY_DIGITS = "0" * 18 + "9" * 30
WRONG = ("3:3", "5:20", "10", "1,1", "-1", "nowhere.txt", "", "1e3", "²", MANY_DIGITS)
WRONG += ("0" * 18 + "10", "0:" + "9" * 5000)


@pytest.mark.parametrize("text", WRONG, ids=map(str, range(len(WRONG))))
def test_what_names_no_rows_is_refused(text):
    with pytest.raises(ValueError, match="removed must"):
        rows_of_numbers(text, 10)


OTHERS = {
    "squared hinge": {"loss": "squared_hinge"},
    "ridge": {"loss": "ridge", "target_column": "age", "drop": ("customer_id", "defaulted")},
    "weak": {"regularisation": 1e-9},
    "public ranges": {
        "scale": None,
        "range": ("age=18:100", "income=0:200000", "years_with_us=0:60"),
    },
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_models_and_ranges(name):
    task = TableDeletion(**{**READ, **OTHERS[name]}, removed="0:20")
    result = task.forget(epsilon=1.0, delta=1e-5, sigma=1e-3)
    assert result.distance <= result.largest_distance
    assert ("column_range" in result.measured) == (name != "public ranges")
    assert "column_words" in result.measured
    assert (result.accuracy is None) == (name == "ridge")


REFUSED = {
    "no rows named": ({}, "removed or removed_where must say"),
    "both": ({"removed": "0:2", "removed_where": "a=b"}, "removed or removed_where must say"),
    "set": ({"removed": "0:2", "data": "digits"}, "data must be the file of a table"),
    "missing file": ({"removed": "0:2", "data": "no.csv"}, "no data file at no.csv"),
    "form": ({"removed_where": "customer_id"}, "removed_where must be COLUMN=FILE"),
    "no file": ({"removed_where": "customer_id=no.txt"}, "removed_where must name a file"),
    "all": ({"removed": "0:5000"}, "removed must be from 1 to 4999"),
    "no target": ({"removed": "0:2", "target_column": "none"}, "target_column must not be none"),
    "model and loss": ({"removed": "0:2", "model": "m.json", "loss": "ridge"}, "loss must not"),
    "trust": ({"removed": "0:2", "trust_pickle": True}, "trust_pickle must not"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_settings_are_refused(name):
    changes, words = REFUSED[name]
    with pytest.raises((ValueError, FileNotFoundError), match=words):
        TableDeletion(**{**READ, **changes}).forget(epsilon=1.0, delta=1e-5, sigma=1e-3)


def test_one_document(capsys):
    words = [*WORDS, *MENDED, "--removed", "5", "--held-out", "0", "--json"]
    assert run(words) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["rows"]["removed"] == 1
    assert document["accuracy"] is None
    assert set(document["secret"]) == {"newton_steps", "distance", "accuracy_without_noise"}
    assert document["sigma"] == 0.001


def test_a_model_that_was_released_forgets_again(saved, capsys):
    folder, _ = saved
    model = str(folder / "model.json")
    assert run([*WORDS, *MENDED, "--removed", "20:30", "--model", model]) == 0
    out = capsys.readouterr().out
    assert "without 10 of 5000 rows" in out
    assert "accuracy   not measured" in out
    assert run([*WORDS, *MENDED, "--removed", "3", "--model", "x.pkl"]) == 2
    assert "model must name a file that can be read" in capsys.readouterr().err


def test_a_word_of_leaving_rows_alone_is_in_no_file(tmp_path, capsys):
    cities = ["Oslo", "Bern", "Rome"]
    rows = [f"{i % 7},{cities[i % 3]},{'yes' if i % 5 < 2 else 'no'}" for i in range(40)]
    rows[5] = "3,Hamlet,no"
    table, out = tmp_path / "rows.csv", tmp_path / "out"
    table.write_text("\n".join(["size,city,bought", *rows]) + "\n")
    words = ["forget", "--data", str(table), "--removed", "5", "--epsilon", "1", "--delta", "1e-5"]
    assert run([*words, "--save", str(out)]) == 0
    assert "rows       data-dependent: column_words\n" in capsys.readouterr().out
    for file in out.iterdir():
        assert "Hamlet" not in file.read_text(), file.name
    assert "The words of columns" in (out / "deletion.md").read_text()
    city = json.loads((out / "model.json").read_text())["columns"][1]
    assert city["words"] == ["Bern", None, "Oslo", "Rome"]
    assert city["features"] == ["city = Bern", None, "city = Oslo", "city = Rome"]
    assert not city["public"]


def test_numbers_that_floats_do_not_tell_apart_name_no_rows(tmp_path):
    """Rows that share a float would leave together, of which one was asked for."""
    first = 2**53
    rows = [f"{first + i},{i % 7},{'yes' if i % 5 < 2 else 'no'}" for i in range(40)]
    table, ids = tmp_path / "rows.csv", tmp_path / "ids.txt"
    table.write_text("\n".join(["id,size,bought", *rows]) + "\n")
    ids.write_text(f"{first}\n")
    task = TableDeletion(data=str(table), drop=("id",), removed_where=f"id={ids}")
    with pytest.raises(ValueError, match="removed_where must not be by a column of numbers beyond"):
        _ = task.deletions
    for name in ("none", "9"):
        task = TableDeletion(data=str(table), drop=("id",), removed_where=f"{name}={ids}")
        with pytest.raises(ValueError, match="removed_where must be one of id, size, bought"):
            _ = task.deletions


def test_a_regression_of_ones_own_forgets(tmp_path):
    joblib = pytest.importorskip("joblib")
    from sklearn.linear_model import Ridge

    rows = np.column_stack([np.arange(30) % 7, np.arange(30) ** 2 % 11, np.arange(30.0)])
    np.savetxt(tmp_path / "rows.csv", rows, delimiter=",", header="a,b,c", comments="")
    joblib.dump(Ridge().fit(rows[:, :2], rows[:, 2]), tmp_path / "model.pkl")
    task = TableDeletion(
        data=str(tmp_path / "rows.csv"),
        removed="3",
        model=str(tmp_path / "model.pkl"),
        trust_pickle=True,
    )
    result = task.forget(epsilon=1.0, delta=1e-5, sigma=1e-3)
    again = Ridge().fit(np.delete(rows[:, :2], 3, 0), np.delete(rows[:, 2], 3))
    assert np.abs(result.model.coef_ - again.coef_).max() < 0.01


def test_the_model_that_is_read_is_not_written_over(saved, tmp_path, capsys):
    folder, _ = saved
    model = tmp_path / "model.json"
    model.write_bytes((folder / "model.json").read_bytes())
    before = model.read_bytes()
    words = [*WORDS, *MENDED, "--removed", "20:30", "--model", str(model), "--save", str(tmp_path)]
    assert run(words) == 2
    assert "save must be another folder than that of the files that are read" in (
        capsys.readouterr().err
    )
    assert model.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["model.json"]
