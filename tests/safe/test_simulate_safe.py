"""`simulate safe` and `simulate track`: regret, distance, accuracies and certified epsilon."""

import json

import numpy as np
import pytest

from forgetproof.cli import run

POINTS = np.random.default_rng(0).normal(size=(30, 2))
SMALL = [
    "--data",
    "wine",
    "--rounds",
    "3",
    "--share",
    "0.02",
    "--trials",
    "2",
    "--regularisation",
    "0.05",
]


def document(capsys, *arguments):
    assert run(["simulate", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_tracking_stays_close_and_certifies_its_target(capsys):
    found = document(capsys, "track", *SMALL, "--steps", "100", "--epsilon", "2")
    rounds = found["rounds"]
    assert rounds["certified_epsilon"] == pytest.approx([2] * 3, rel=1e-2)
    assert max(rounds["certified_epsilon"]) <= 2 * (1 + 1e-9)
    assert found["regret"] < 0.01
    assert np.all(np.diff(rounds["regret"]) >= 0)
    assert found["gradient_evaluations"] == 100 * sum(143 - 3 * t for t in (1, 2, 3))
    assert len(found["moments"]["published"]["mean"]) == 13 * 3
    assert found["joint_epsilon"] > 2


def test_printed_noise_claims_one_thing_and_certifies_another(capsys):
    noisy = document(capsys, "safe", *SMALL, "--variant", "printed")
    quiet = document(capsys, "safe", *SMALL, "--variant", "printed", "--no-noise")
    assert min(noisy["rounds"]["certified_epsilon"]) > 1
    assert quiet["rounds"]["certified_epsilon"] == ["inf"] * 3
    assert quiet["regret"] < noisy["regret"]


def test_the_corrected_variant_certifies(capsys):
    found = document(capsys, "safe", *SMALL)
    assert found["rounds"]["certified_epsilon"] == pytest.approx([1] * 3, rel=1e-6)


def test_equal_seeds_give_equal_runs_and_classes_may_go_one_by_one(capsys):
    arguments = ["track", *SMALL, "--schedule", "class", "--steps", "5", "--seed", "3"]
    first, second = (document(capsys, *arguments) for _ in range(2))
    assert first == second
    other = document(capsys, *arguments[:-1], "4")
    assert other["moments"] != first["moments"]


def test_the_constants_are_public_or_said_to_leak(capsys):
    tracked = ["track", *SMALL, "--steps", "5"]
    scaled = document(capsys, *tracked)
    assert scaled["problem"]["row_norm"] == 1.0
    assert scaled["assumptions"]["constants"] == "public"
    found = document(capsys, *tracked, "--raw")
    assert found["problem"]["row_norm"] is None
    raw = found["assumptions"]
    assert (raw["constants"], raw["from_data"]) == ("data-dependent", ["row_norm"])
    bounded = document(capsys, *tracked, "--raw", "--row-norm", "3000")
    assert bounded["assumptions"]["constants"] == "public"
    assert run(["simulate", *tracked, "--raw"]) == 0
    out = capsys.readouterr().out
    assert "data-dependent" in out
    assert "nonadaptive: what is requested" in out


def test_a_table_for_readers(capsys):
    assert run(["simulate", "safe", *SMALL]) == 0
    out = capsys.readouterr().out
    assert "SAFE corrected" in out
    assert "certified epsilon" in out
    assert "joint epsilon" in out


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["--data", "diabetes"], "data must have 2 to 100 classes"),
        (["--data", "linear"], "data must have targets for loss softmax"),
        (["--share", "0.5"], "share must be below 1/rounds"),
        (["--rounds", "0"], "rounds must be"),
        (["--trials", "0"], "trials must be"),
        (["--regularisation", "0"], "regularisation must be"),
        (["--releases", "9"], "releases must be"),
        (["--epsilon", "-1"], "epsilon must be"),
        (["--delta", "0"], "delta must be"),
        (["--seed", "-1"], "seed must be"),
        (["--trials", "10000000000"], "trials must be"),
        (["--rows", "3"], "test_share must hold out one of 3 rows"),
        (["--test-share", "0"], "test_share must be > 0"),
        (["--row-norm", "0.5"], "row_norm must be >= 1"),
        (["--row-norm", "0"], "row_norm must be"),
        (["--regularisation", "1e-320"], "must be"),
    ],
)
def test_bad_input_is_one_line(capsys, changes, message):
    assert run(["simulate", "track", *SMALL, *changes]) == 2
    err = capsys.readouterr().err.strip()
    assert message in err
    assert len(err.splitlines()) == 1


def test_a_class_whose_rows_are_all_held_out(capsys, tmp_path):
    path = tmp_path / "rare.csv"
    rows = [f"{x:.3f},{y:.3f},{'abc'[i % 3]}" for i, (x, y) in enumerate(POINTS)]
    rows[-1] = rows[-1][:-1] + "d"
    path.write_text("\n".join(["x,y,kind", *rows]))
    asked = ["--data", str(path), "--rounds", "2", "--trials", "2", "--share", "0.05"]
    for seed in range(3):
        assert run(["simulate", "safe", *asked, "--seed", str(seed)]) == 0, capsys.readouterr().err
