"""Commands on rows in pieces: .npy files, and Parquet files of numbers with --in-pieces."""

import json

import numpy as np
import pytest

from forgetproof.cli import run
from forgetproof.for_rows import noise_for
from simulators.data.dataset import Dataset
from simulators.data.pieced import iterated_rows

RANDOM = np.random.default_rng(8)
N = 60
X = RANDOM.standard_normal((N, 3))
SIGNS = np.where(X[:, 0] + 0.3 * RANDOM.standard_normal(N) > 0, 1.0, -1.0)
TARGET = {"epsilon": 1.0, "delta": 1e-5, "regularisation": 0.1}
ASKED = [
    *("noise", "langevin", "--epsilon", "1", "--delta", "1e-5", "--regularisation", "0.1"),
    *("--batch-size", "12", "--trials", "4"),
]


def pieced():
    return iterated_rows([(X[a : a + 17], SIGNS[a : a + 17]) for a in range(0, N, 17)])


@pytest.fixture
def array(tmp_path):
    np.save(tmp_path / "rows.npy", np.column_stack([X, SIGNS]))
    return str(tmp_path / "rows.npy")


def document(capsys, *arguments):
    code = run([*map(str, arguments), "--json"])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return json.loads(captured.out)


def complaint(capsys, *arguments):
    assert run([*map(str, arguments)]) == 2
    text = capsys.readouterr().err.strip()
    assert len(text.splitlines()) == 1
    return text


def test_a_noise_and_its_cost_are_those_of_rows_in_memory():
    how = {**TARGET, "batch_size": 12, "trials": 8}
    whole = noise_for("logistic", Dataset(X, SIGNS), shuffle=False, **how)
    cut = noise_for("logistic", pieced(), shuffle=False, **how)
    assert cut.answers.best.noise == whole.answers.best.noise
    assert cut.cost == pytest.approx(whole.cost)
    assert cut.snippet is None
    mixed = noise_for("logistic", pieced(), **how)
    assert mixed.answers.best.noise == whole.answers.best.noise
    # Another sampling scheme is a condition of the answer, and of the claim with its mechanism.
    assert "not every order is equally likely" in " ".join(mixed.problem.assumptions.conditions)
    assert "not every order is equally likely" in str(mixed.claim)
    assert "not every order" not in str(whole.claim)


def test_what_takes_any_row_at_any_step_is_not_run_on_pieces():
    many = [(X, SIGNS)] * 40
    how = {**TARGET, "algorithm": "newton-removal", "regularisation": 1.0}
    removal = noise_for("logistic", iterated_rows(many), **how)
    assert removal.answers.recommended is not None
    assert removal.cost is None
    with pytest.raises(ValueError, match="unlearning_steps must be given"):
        noise_for("logistic", pieced(), algorithm="dp-sgd", batches=5, **TARGET)


def test_an_array_file_answers_as_the_same_rows_do(capsys, array):
    np.savez(array.replace(".npy", ".npz"), X=X, y=SIGNS)
    in_order = [*ASKED, "--in-order", "--data"]
    found = document(capsys, *in_order, array)
    plain = document(capsys, *in_order, array.replace(".npy", ".npz"))
    assert found["rows"]["sha256"] == plain["rows"]["sha256"]
    assert found["rows"]["cost"] == pytest.approx(plain["rows"]["cost"])
    assert "in pieces" in found["rows"]["record"][0]


def test_a_table_of_numbers_is_read_in_pieces_where_it_is_asked_for(capsys, tmp_path, array):
    pyarrow, parquet = (pytest.importorskip(x) for x in ("pyarrow", "pyarrow.parquet"))
    pytest.importorskip("pandas")
    path = tmp_path / "rows.parquet"
    columns = dict(zip(("a", "b", "y", "c"), (X[:, 0], X[:, 1], SIGNS, X[:, 2]), strict=True))
    parquet.write_table(pyarrow.table(columns), path, row_group_size=20)
    asked = [*ASKED, "--in-order", "--data", path, "--target-column", "y"]
    found = document(capsys, *asked, "--in-pieces")
    whole = document(capsys, *asked)
    assert found["rows"]["sha256"] == whole["rows"]["sha256"]
    assert found["rows"]["cost"] == pytest.approx(whole["rows"]["cost"])
    words = complaint(capsys, *ASKED, "--data", path, "--in-pieces", "--missing", "drop")
    assert "missing" in words
    assert "target_column" in complaint(
        capsys, *ASKED, "--data", path, "--in-pieces", "--target-column", "z"
    ).replace("-", "_")


def test_a_simulation_reads_an_array_file(capsys, array):
    asked = ["simulate", "langevin", "--sigma", "0.01", "--trials", "4", "--learn-epochs", "1"]
    found = document(capsys, *asked, "--data", array, "--batch-size", "10", "--test-share", "0.2")
    assert found["test"]["rows"] == 12


def test_a_certificate_reads_an_array_file(capsys, array, tmp_path):
    pytest.importorskip("flint")
    (tmp_path / "model.csv").write_text("0\n0\n0\n")
    asked = ["noise", "erm", "--data", array, "--model", tmp_path / "model.csv", "--loss"]
    asked += ["logistic", "--regularisation", "0.5", "--epsilon", "1", "--delta", "1e-5"]
    assert "distance" in json.dumps(document(capsys, *asked))


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--drop", "1"], "drop"),
        (["--in-pieces"], "in"),
        (["--target-column", "9"], "target"),
        (["--target-column", "y"], "target"),
        (["--scale", "file"], "scale"),
    ],
)
def test_options_that_an_array_has_no_use_for_are_refused(capsys, array, more, words):
    assert words in complaint(capsys, *ASKED, "--data", array, *more)


def test_experiments_that_need_all_rows_say_so(capsys, array):
    words = complaint(capsys, "simulate", "online", "--sigma", "0.1", "--k", "1", "--data", array)
    assert "data must be in memory for online" in words
