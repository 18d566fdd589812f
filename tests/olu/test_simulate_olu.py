"""`simulate olu` end to end on small runs."""

import json

import numpy as np
import pytest

from forgetproof.cli import run

ALGORITHMS = ["passive", "newton", "restart", "retrain", "dp", "tree"]


def document(capsys, *arguments):
    code = run(["simulate", "olu", *arguments, "--json"])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return json.loads(captured.out)


def test_passive_on_digits(capsys, tmp_path):
    path = tmp_path / "schedule.csv"
    path.write_text("index,time\n50,100\n60,200\n")
    arguments = ("--schedule", str(path), "--epsilon", "2", "--trials", "40")
    found = document(capsys, *arguments)
    assert found == document(capsys, *arguments)
    c = found["constants"]
    assert (found["rounds"], found["data"]["n"]) == (357, 357)
    for i, (entry, u, tau) in enumerate(zip(found["published"], (50, 60), (100, 200), strict=True)):
        assert (entry["index"], entry["time"]) == (u, tau)
        exact = np.sqrt((2 * i + 1) / 4) * c["lipschitz"] / (c["strong_convexity"] * (tau - 1))
        assert entry["sigma"] == pytest.approx(exact, rel=1e-9)
        assert entry["largest_distance"] < (i + 1) * c["lipschitz"] / 0.1 / (tau - 1)
        assert entry["learned"]["mean_std"] > 0
    assert found["gradient_evaluations"] == {"learn": 357}
    assert found["regret"]["standard_error"] > 0


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_algorithms_run(capsys, algorithm):
    noise = [] if algorithm in ("restart", "retrain") else ["--epsilon", "1"]
    found = document(
        capsys,
        "--data",
        "breast_cancer",
        "--rounds",
        "60",
        "--learner",
        algorithm,
        "--k",
        "3",
        *noise,
        "--trials",
        "8",
        "--printed",
        "--deletions",
        "bursts",
    )
    assert found["rounds"] == 60
    assert len(found["published"]) == 3


def test_active_descends_on_the_retained_losses(capsys):
    found = document(
        capsys,
        "--data",
        "synthetic",
        "--rounds",
        "50",
        "--learner",
        "active",
        "--deletions",
        "early",
        "--inner-steps",
        "4",
        "--epsilon",
        "1",
        "--trials",
        "8",
        "--first",
        "10",
    )
    assert found["gradient_evaluations"] == {"learn": 50, "unlearn": 4 * 9}


@pytest.mark.parametrize(
    "data", ["quadratic", "worst-signs", "alternating", "hinges", "one-slope", "huber-well"]
)
def test_made_streams_run(capsys, data):
    arguments = ["--data", data, "--rounds", "100", "--trials", "4", "--sigma", "0.1", "--k", "2"]
    code = run(["simulate", "olu", *arguments])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    assert "regret" in captured.out


def test_worst_signs_attain_the_regret(capsys):
    found = document(
        capsys,
        "--data",
        "worst-signs",
        "--rounds",
        "300",
        "--deletions",
        "none",
        "--radius",
        "inf",
        "--regularisation",
        "0.5",
    )
    assert found["regret"]["mean"] == pytest.approx((1 / np.arange(1, 301)).sum(), rel=1e-12)
    assert found["published"] == []
    assert found["constants"]["lipschitz"] == "inf"


@pytest.mark.parametrize("steps", ["adaptive", "0.1", "D/(L*sqrt(T))", "min(1, 1/(mu*t))"])
def test_step_sizes(capsys, steps):
    found = document(
        capsys, "--step-size", steps, "--trials", "4", "--epsilon", "1", "--rounds", "80"
    )
    assert found["settings"]["step_size"] == steps


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sigma", "-1"], "sigma must be >= 0"),
        (["--sigma", "1", "--epsilon", "1"], "sigma and epsilon"),
        (["--epsilon", "0"], "epsilon must be > 0"),
        (["--sigma", "1e300", "--radius", "inf"], "sigma must be small enough"),
        (["--step-size", "1e300", "--radius", "inf"], "step_size and sigma must be small enough"),
        (["--step-size", "1/x"], "step_size must be"),
        (["--step-size", "t - 3"], "step_size must be > 0"),
        (["--step-size", "adaptive", "--radius", "inf"], "radius"),
        (["--k", "400"], "k must be in"),
        (["--rounds", "358"], "rounds must be in [1, 357]"),
        (["--trials", "0"], "trials"),
        (["--trials", "1e10"], "trials must be"),
        (["--learner", "active", "--inner-steps", "1e9"], "inner steps must be at most"),
        (["--data", "hinges", "--k", "100000"], "k must be at most"),
        (["--learner", "active", "--epsilon", "0", "--k", "5"], "epsilon must be"),
        (["--schedule", "/nowhere.csv"], "/nowhere.csv"),
        (["--deletions", "stream"], "deletions must not be"),
        (["--radius", "-1"], "radius must be"),
        (["--regularisation", "0", "--radius", "inf"], "minimiser"),
        (["--data", "imagenet"], "data must be one of"),
        (["--device", "tpu"], "'tpu' is not one of 'auto', 'cpu', 'cuda'"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, arguments, message):
    code = run(["simulate", "olu", *arguments])
    err = capsys.readouterr().err
    assert code == 2
    assert message in err
    assert len(err.strip().splitlines()) == 1
