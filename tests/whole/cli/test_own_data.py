"""`simulate` on a user's own files, on chosen classes and rows, and with rows held out."""

import gzip
import json
import struct
from pathlib import Path

import numpy as np
import pytest

from accounting.problems import Target
from bounds.declared import PROBLEMS
from forgetproof.cli import run

RANDOM = np.random.default_rng(5)
X = RANDOM.normal(size=(40, 3))
Y = np.where(X[:, 0] + 0.3 * RANDOM.normal(size=40) > 0, 1, 0)
KINDS = np.array(["oak", "elm", "ash"])[np.arange(40) % 3]
LANGEVIN = ["langevin", "--sigma", "0.01", "--trials", "4", "--learn-epochs", "1"]
COMMANDS = {
    "langevin": LANGEVIN,
    "recollection": ["hf", "--epochs", "2", "--ratio", "0.1"],
    "online": ["olu", "--trials", "2", "--k", "1", "--sigma", "0.1"],
    "stream": ["track", "--rounds", "2", "--steps", "2", "--trials", "1", "--share", "0.1"],
}


def document(capsys, *arguments):
    code = run(["simulate", *map(str, arguments), "--json"])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return json.loads(captured.out)


def complaint(capsys, *arguments):
    assert run(["simulate", *map(str, arguments)]) == 2
    text = capsys.readouterr().err.strip()
    assert len(text.splitlines()) == 1
    return text


def csv(path, targets, header="a,b,c,target"):
    lines = [header] if header else []
    lines += [
        ",".join([*(f"{v:.6f}" for v in row), str(t)]) for row, t in zip(X, targets, strict=True)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def idx_folder(folder):
    images = RANDOM.integers(1, 256, size=(90, 3, 3)).astype(np.uint8)
    labels = (np.arange(90) % 10).astype(np.uint8)
    for stem, array in (("images-idx3", images), ("labels-idx1", labels)):
        head = bytes([0, 0, 8, array.ndim]) + struct.pack(f">{array.ndim}I", *array.shape)
        path = folder / f"t10k-{stem}-ubyte.gz"
        path.write_bytes(gzip.compress(head + array.tobytes(), mtime=0))
    return folder


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("labels", ["zero and one", "two words", "minus and plus one"])
def test_two_classes_whatever_they_are_called(capsys, tmp_path, command, labels):
    targets = {
        "zero and one": Y,
        "two words": np.array(["no", "yes"])[Y],
        "minus and plus one": 2 * Y - 1,
    }[labels]
    table = csv(tmp_path / "mine.csv", targets)
    array = tmp_path / "mine.npz"
    np.savez(array, X=np.round(X, 6), y=targets)
    one, two = (document(capsys, *COMMANDS[command], "--data", file) for file in (table, array))
    for key in ("moments", "difference", "regret"):
        assert one.get(key) == two.get(key)


def test_classes_by_name_decide_the_signs(capsys, tmp_path):
    table = csv(tmp_path / "trees.csv", KINDS)
    text = complaint(capsys, *LANGEVIN, "--data", table)
    assert "target target has 3 values; two are needed, or --classes A,B" in text
    there = document(capsys, *LANGEVIN, "--data", table, "--classes", "oak,ash")
    back = document(capsys, *LANGEVIN, "--data", table, "--classes", "ash,oak")
    assert there["data"]["n"] == back["data"]["n"] == 27
    mean, other = (np.array(d["moments"]["learned"]["mean"]) for d in (there, back))
    assert np.allclose(mean, -other, atol=0.05)
    assert any("classes oak (as -1) and ash (as +1)" in line for line in there["data"]["record"])
    assert "got fir" in complaint(capsys, *LANGEVIN, "--data", table, "--classes", "fir,oak")
    every = document(capsys, "hf", "--loss", "softmax", "--data", table, "--epochs", "2")
    assert every["data"]["parameters"] == 9


def test_the_target_column_by_name_number_and_not_at_all(capsys, tmp_path):
    lines = ["kind;a;b"]
    lines += [f"{kind};{a:.5f};{b:.5f}" for kind, (a, b, _) in zip(KINDS, X, strict=True)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(lines))
    for column in ("kind", "1"):
        found = document(
            capsys,
            "ns",
            "--data",
            path,
            "--target-column",
            column,
            "--epochs",
            "2",
            "--loss",
            "softmax",
        )
        assert found["data"]["dimension"] == 2
    assert "target b has 40 values; two are needed" in complaint(capsys, "ns", "--data", path)
    words = document(capsys, "ns", "--data", path, "--loss", "ridge", "--epochs", "2")
    assert words["data"]["dimension"] == 4
    numbers = csv(tmp_path / "n.csv", Y, header="")
    found = document(
        capsys, *LANGEVIN, "--loss", "quadratic", "--data", numbers, "--target-column", "none"
    )
    assert (found["data"]["n"], found["data"]["dimension"]) == (40, 4)
    found = document(capsys, *LANGEVIN, "--data", numbers, "--header")
    assert found["data"]["n"] == 39


def test_regression_targets_stay_numbers(capsys, tmp_path):
    table = csv(tmp_path / "r.csv", np.round(X[:, 1] * 3, 4))
    found = document(capsys, "hf", "--loss", "ridge", "--data", table, "--epochs", "2")
    assert found["accuracy"] == {}
    assert "target target has 40 values; two are needed" in complaint(capsys, "hf", "--data", table)
    words = csv(tmp_path / "w.csv", KINDS)
    assert "for loss ridge" in complaint(capsys, "hf", "--loss", "ridge", "--data", words)


def test_softmax_on_mnist_takes_all_classes_or_those_named(capsys, tmp_path):
    folder = ["--data", "mnist", "--data-folder", idx_folder(tmp_path)]
    base = ["hf", *folder, "--loss", "softmax", "--epochs", "2", "--ratio", "0.1"]
    assert document(capsys, *base)["data"]["parameters"] == 10 * 9
    assert document(capsys, *base, "--classes", "all")["data"]["parameters"] == 10 * 9
    assert document(capsys, *base, "--classes", "1,4,7")["data"]["parameters"] == 3 * 9
    pair = document(capsys, "hf", *folder, "--epochs", "2", "--classes", "4,9", "--rows", "12")
    assert pair["data"]["n"] + int(0.2 * 12) == 12
    assert pair["data"]["parameters"] == 9


def test_rows_are_drawn_over_all_classes(capsys):
    """wine is sorted by class: its first rows would be of one class only."""
    found = document(
        capsys, "hf", "--data", "wine", "--rows", "40", "--epochs", "2", "--test-share", "0.5"
    )
    assert found["data"]["n"] == 20
    assert 0 < found["accuracy"]["learned"]["test"] <= 1


@pytest.mark.parametrize("command", ["langevin", "online"])
def test_rows_held_out_are_not_learned_from(capsys, command):
    """The hashes of what is learned from differ; what is held out is scored."""
    base = [*COMMANDS[command], "--learn-epochs", "30"] if command == "langevin" else []
    base = base or [*COMMANDS[command], "--data", "breast_cancer"]
    whole = document(capsys, *base)
    part = document(capsys, *base, "--test-share", "0.25")
    if command == "langevin":
        assert (whole["data"]["n"], part["data"]["n"], part["test"]["rows"]) == (357, 268, 89)
        assert part["test"]["learned"]["accuracy"] > 0.8
    else:
        assert (whole["rounds"], part["rounds"], part["test"]["rows"]) == (569, 427, 142)
        assert part["test"]["accuracy"] > 0.7
    assert "loss that predicts" in complaint(
        capsys, *base, "--loss", "quadratic", "--test-share", "0.1"
    )


@pytest.mark.parametrize(
    ("command", "arguments", "message"),
    [
        ("langevin", ["--dimension", "3"], "dimension must not be given with data digits"),
        ("langevin", ["--data-folder", "x"], "data_folder must not be given with data digits"),
        ("langevin", ["--header"], "header must not be given with data digits"),
        ("recollection", ["--target-column", "1"], "target_column must not be given"),
        ("recollection", ["--data", "linear", "--classes", "0,1"], "classes must not be given"),
        ("recollection", ["--classes", "3"], "classes must be two for loss logistic, got 3"),
        ("recollection", ["--rows", "10**6"], "rows must be an integer in [1, 357]"),
        ("online", ["--inner-steps", "3"], "inner_steps must not be given with learner passive"),
        ("online", ["--data", "alternating", "--loss", "ridge"], "loss must not be given"),
        ("online", ["--data", "hinges", "--radius", "2"], "radius must not be given"),
        ("online", ["--deletions", "none", "--first", "2"], "first must not be given"),
        ("stream", ["--data", "linear"], "data must have targets for loss softmax"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_what_the_data_do_not_use_is_refused(capsys, command, arguments, message):
    assert message in complaint(capsys, *COMMANDS[command], *arguments)


def test_help_says_how_files_look(capsys):
    for command in ("langevin", "hf", "olu", "track"):
        assert run(["simulate", command, "--help"]) == 0
        shown = capsys.readouterr().out
        for words in ("FILE.npz", "FILE.csv", "--classes no,yes", "--target-column", "Example:"):
            assert words in shown


CALIBRATED = {
    "langevin": ["langevin", "--learn-epochs", "4", "--batch-size", "8"],
    "d2d": ["d2d", "--learn-epochs", "9", "--unlearn-epochs", "4", "--radius", "inf"],
}
TARGET = ["--epsilon", "1", "--delta", "1e-5", "--regularisation", "0.2", "--trials", "4"]


@pytest.mark.parametrize("command", CALIBRATED)
def test_a_target_in_place_of_a_noise(capsys, tmp_path, command):
    """The noise is the one that `noise` finds for the constants of the run."""
    asked = [*CALIBRATED[command], "--data", csv(tmp_path / "mine.csv", Y), *TARGET]
    found = document(capsys, *asked, "--test-share", "0.2")
    sigma = found["least_noise"]["sigma"]
    again = [*asked[:-8], "--sigma", repr(sigma), *TARGET[4:], "--test-share", "0.2"]
    given = document(capsys, *again)
    assert given["least_noise"] == {}
    assert given["moments"] == found["moments"]
    assert 0 < found["train"]["learned"]["accuracy"] <= 1
    constants = {k: found["constants"][k] for k in ("smoothness", "strong_convexity", "lipschitz")}
    more = (
        {"steps": 4, "initial": 0.0}
        if command == "d2d"
        else {"batch_size": 8, "learn_epochs": 4, "target": "T+K", "radius": 4.0}
    )
    problem = PROBLEMS.get(command)(n=found["data"]["n"], **constants, **more)
    least = float(problem.noise("exact", Target(1.0, 1e-5)).noise)
    if command == "langevin":
        assert sigma == pytest.approx(least, rel=1e-9)
    else:  # training from scratch is some way from the minimiser as well
        assert sigma > least


WRONG = {
    "neither": ([], "sigma must be given, or epsilon and delta"),
    "delta alone": (["--delta", "0.1", "--sigma", "1"], "delta must not be given without epsilon"),
    "both": (["--epsilon", "1", "--delta", "0.1", "--sigma", "1"], "sigma must not be given with"),
    "no delta": (["--epsilon", "1"], "sigma must be given, or epsilon and delta"),
    "several requests": ([*TARGET, "--requests", "2"], "requests must be 1 with epsilon, got 2"),
    "no epochs": ([*TARGET, "--learn-epochs", "0"], "learn_epochs must be an integer >= 1"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_target_that_is_not_whole_is_refused(capsys, wrong):
    more, said = WRONG[wrong]
    assert said in complaint(capsys, "langevin", *more)


def test_what_is_reused_has_no_target(capsys):
    more = ["--radius", "inf", "--published-state"]
    assert "internal_state must be kept" in complaint(capsys, "d2d", *TARGET, *more)
    assert "radius must be inf" in complaint(capsys, "d2d", *TARGET)


@pytest.mark.parametrize("command", ["langevin", "online"])
def test_accuracy_has_its_error(capsys, command):
    """Over the trials, on the rows learned from and on those held out."""
    more = ["--sigma", "9", "--trials", "16"]
    base = [command, "--data", "breast_cancer", *more, "--test-share", "0.3"]
    found = document(capsys, *base)
    for part in ("train", "test"):
        scored = found[part]["learned"] if command == "langevin" else found[part]
        assert scored["standard_error"] >= 0
        assert 0 < scored["accuracy"] < 1
    assert "train" in document(capsys, *base[:-2])


def test_a_picture_reads_a_table_as_other_commands_do(capsys, tmp_path):
    loans = Path(__file__).parents[3] / "docs" / "loans.csv"
    asked = ["plot", "sglu.lem3.5", "--out", str(tmp_path / "x.svg")]
    rows = ["--data", str(loans), "--target-column", "outcome", "--drop", "years", "--repeats", "2"]
    assert run([*asked, *rows, "--intercept"]) == 0, capsys.readouterr().err
    assert run([*asked, "--drop", "years"]) == 2
    assert "drop must not be given without --data" in capsys.readouterr().err
