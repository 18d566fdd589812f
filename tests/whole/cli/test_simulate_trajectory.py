"""`simulate hf|mini|rewind|deltagrad|newton-removal|amnesiac|ns|ij` end to end on small runs."""

import json

import pytest

from forgetproof.cli import run

ALL = ["recollection", "mini", "rewind", "deltagrad", "newton-removal", "amnesiac", "ns", "ij"]
ROWS = ["--data", "synthetic", "--rows", "60", "--dimension", "4"]
SMALL = [*ROWS, "--epochs", "4", "--json"]


def document(capsys, *arguments):
    code = run(["simulate", *arguments])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return json.loads(captured.out)


@pytest.mark.parametrize("algorithm", ALL)
def test_every_method_reports_the_same_things(capsys, algorithm):
    trained = algorithm != "newton-removal"
    training = [*SMALL, "--batch-size", "12"] if trained else [*ROWS, "--json"]
    found = document(capsys, algorithm, *training, "--ratio", "0.1")
    assert found["algorithm"] == algorithm
    assert found["data"]["n"] == 48
    assert found["forgotten"] == 5
    assert found["steps"] == (16 if trained else None)
    gap = found["difference"]
    assert gap["ratio"] == pytest.approx(gap["left"] / gap["norm"], rel=1e-12)
    for table in ("accuracy", "loss"):
        always = {"larger_class"} if table == "accuracy" else set()
        assert set(found[table]) == {"learned", "unlearned", "retrained"} | always
        for cells in found[table].values():
            assert set(cells) == {"retained", "forgotten", "test"}
    assert all(0 <= x <= 1 for x in found["membership_auc"].values())
    assert {"learning", "unlearning", "retraining"} <= set(found["operations"])
    assert min(found["operations"].values()) >= 0


def test_the_kept_form_on_ridge_regression_leaves_nothing(capsys):
    """hf's corrected statistic is exact on quadratics, the paper's is not; steps of Mini too."""
    made = ["--data", "regression", "--rows", "60", "--dimension", "4"]
    ridge = [*made, "--loss", "ridge", "--json"]
    base = [*ridge, "--batch-size", "12", "--epochs", "4", "--ratio", "0.2", "--statistics", "set"]
    kept = document(capsys, "recollection", *base, "--hessian", "kept")
    paper = document(capsys, "recollection", *base, "--hessian", "batch")
    assert kept["difference"]["ratio"] < 1e-12
    assert paper["difference"]["ratio"] > 1e-2
    assert kept["loss_change_correlation"] == pytest.approx(1.0, abs=1e-9)
    assert 0.5 < paper["loss_change_correlation"] < 1.0 - 1e-9
    mini = document(capsys, "mini", *base[:-2], "--k", "16")
    assert mini["difference"]["ratio"] < 1e-12
    assert mini["accuracy"] == {}


def test_operations_are_counted_exactly(capsys):
    """Full batch, 60 rows, d = 4: 4 n d a step; deletion is a vector addition, no product."""
    found = document(capsys, "recollection", *SMALL, "--test-share", "0")
    count = found["operations"]
    assert count["learning"] == count["retraining"] == 4 * 4 * 60 * 4
    assert count["unlearning"] == 0
    assert count["precomputation"] >= 60 * 2 * 4 * 4 * 4
    rewind = document(capsys, "rewind", *SMALL, "--test-share", "0", "--k", "3")
    assert rewind["operations"]["unlearning"] == 3 * 4 * 60 * 4
    mini = document(capsys, "mini", *SMALL, "--test-share", "0", "--k", "0")
    assert mini["operations"]["unlearning"] == 0
    assert mini["difference"]["ratio"] == 1.0
    assert mini["loss_change_correlation"] is None


def test_rows_by_hand_and_all_of_them_rewound(capsys):
    found = document(capsys, "rewind", *SMALL, "--forget", "3,1,3", "--k", "4")
    assert found["forgotten"] == 2
    assert found["difference"]["left"] == 0.0
    found = document(capsys, "deltagrad", *SMALL, "--period", "1")
    assert found["difference"]["ratio"] < 1e-12
    assert found["details"]["exact_steps"] == 4


def test_softmax_takes_all_classes_of_a_named_set(capsys):
    found = document(
        capsys,
        "recollection",
        "--data",
        "wine",
        "--loss",
        "softmax",
        "--epochs",
        "3",
        "--json",
        "--hessian",
        "kept",
        "--statistics",
        "set",
    )
    assert found["data"]["parameters"] == 3 * 13
    assert found["difference"]["ratio"] < 0.05


def test_text(capsys):
    assert run(["simulate", "newton-removal", *ROWS, "--noise", "0.2"]) == 0
    shown = capsys.readouterr().out
    for words in ("difference: left", "accuracy", "residual bound", "budget"):
        assert words in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--noise", "-1"], "noise must be"),
        (["--loss", "softmax"], "loss must be one of a linear score"),
    ],
)
def test_bad_input_to_newton_removal(capsys, arguments, message):
    assert run(["simulate", "newton-removal", *ROWS, *arguments]) == 2
    assert message in capsys.readouterr().err


def test_same_seed_same_numbers(capsys):
    both = [document(capsys, "recollection", *SMALL, "--batch-size", "12") for _ in range(2)]
    for found in both:
        found.pop("seconds")
    assert both[0] == both[1]


@pytest.mark.parametrize(
    ("algorithm", "arguments", "message"),
    [
        ("recollection", ["--forget", "1,x"], "forget must be rows such as 0,3,8"),
        ("recollection", ["--forget", "48"], "forget must be an integer in [0, 47]"),
        ("recollection", ["--ratio", "1"], "ratio must be"),
        ("recollection", ["--batch-size", "49"], "batch_size must be"),
        ("recollection", ["--step-size", "1e200"], "steps must be small enough"),
        ("recollection", ["--step-size", "open('x')"], "step_size must be a number"),
        ("recollection", ["--epochs", "1e15"], "epochs must be at most"),
        ("recollection", ["--memory", "10"], "memory must be >= 1536 bytes"),
        ("recollection", ["--clip", "0"], "clip must be > 0"),
        ("mini", ["--k", "5"], "k must be"),
        ("mini", ["--k", "1", "--hessian", "lbfgs", "--pairs", "9"], "pairs must be"),
        ("rewind", ["--k", "5"], "k must be"),
        ("deltagrad", ["--period", "0"], "period must be"),
        ("newton-removal", [], "No such option"),
        ("mini", ["--pairs", "3"], "pairs must not be given with hessian exact"),
        ("recollection", ["--statistics", "set", "--folder", "x"], "folder must not be given"),
        ("recollection", ["--forget", "1", "--ratio", "0.1"], "ratio must not be given"),
        ("ns", ["--regularisation", "0", "--rows", "20", "--dimension", "40"], "model must have"),
        ("ij", ["--test-share", "0.95"], "test_share must be"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, algorithm, arguments, message):
    code = run(["simulate", algorithm, *SMALL, *arguments])
    err = capsys.readouterr().err
    assert code == 2, err
    assert message in err
    assert len(err.strip().splitlines()) == 1
