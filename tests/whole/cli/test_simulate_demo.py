"""`simulate` and `demo` end to end on small runs."""

import json

import numpy as np
import pytest

from forgetproof.cli import run

SMALL = ["--sigma", "0.01", "--trials", "16", "--learn-epochs", "2", "--json"]


def document(capsys, *arguments):
    code = run(list(arguments))
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return json.loads(captured.out)


def test_sglu_bills_exactly_the_epochs_it_runs(capsys):
    found = document(
        capsys, "simulate", "sglu", "--batch-size", "32", "--unlearn-epochs", "3", *SMALL
    )
    n = found["data"]["n"]
    assert n == 352
    assert any("dropped" in line for line in found["data"]["record"])
    assert found["gradient_evaluations"] == {"learn": 2 * n, "request 1": 3 * n}
    assert len(found["moments"]["unlearned"]["mean"]) == found["data"]["dimension"]


def test_the_noise_of_linear_data_has_the_variance_the_accountant_assumes(capsys):
    """f = (m/2)|x|^2 - <d, x>: coordinates of variance 2 eta sigma^2 G_c(N), to 5 sigma."""
    found = document(
        capsys,
        "simulate",
        "sglu",
        "--data",
        "linear",
        "--loss",
        "quadratic",
        "--rows",
        "40",
        "--dimension",
        "3",
        "--regularisation",
        "0.5",
        "--step-size",
        "0.4",
        "--radius",
        "inf",
        "--batch-size",
        "10",
        "--sigma",
        "0.7",
        "--trials",
        "4000",
        "--learn-epochs",
        "2",
        "--json",
    )
    c = 1 - 0.4 * found["constants"]["strong_convexity"]
    exact = 2 * 0.4 * 0.7**2 * (c ** (2 * np.arange(3 * 4))).sum()
    variance = np.array(found["moments"]["unlearned"]["variance"])
    assert np.all(np.abs(variance / exact - 1) < 5 * np.sqrt(2 / 4000))


@pytest.mark.parametrize("algorithm", ["langevin", "d2d", "retrain"])
def test_other_algorithms_run(capsys, algorithm):
    found = document(capsys, "simulate", algorithm, "--data", "wine", *SMALL)
    assert found["algorithm"] == algorithm
    assert found["moments"]


def test_same_seed_same_numbers(capsys):
    arguments = [
        "simulate",
        "sglu",
        "--data",
        "synthetic",
        "--rows",
        "64",
        "--batch-size",
        "16",
        *SMALL,
    ]
    assert document(capsys, *arguments) == document(capsys, *arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--data", "nowhere.csv"], "no data file at nowhere.csv"),
        (["--data", "imagenet"], "data must be one of"),
        (["--data", "mnist", "--data-folder", "nowhere"], "data_folder: no MNIST file"),
        (["--sigma", "-1"], "sigma must be >= 0"),
        (["--trials", "0"], "trials must be an integer >= 1"),
        (["--batch-size", "4000"], "batch_size must be an integer in [1, 357]"),
        (["--step-size", "open('x')"], "step_size must be a number"),
        (["--device", "tpu"], "'tpu' is not one of 'auto', 'cpu', 'cuda'"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, arguments, message):
    code = run(["simulate", "sglu", "--sigma", "0.1", *arguments])
    err = capsys.readouterr().err
    assert code == 2
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_demo_prints_the_table_and_writes_the_report(capsys, tmp_path, monkeypatch):
    """The whole path with three claims; the full set runs in test_claims.py."""
    import bounds

    few = ("sglu.lem3.4", "sglu.table3", "sglu.alg6")
    monkeypatch.setattr(bounds, "ids", lambda paper=None: few)
    found = document(capsys, "demo", "--out", str(tmp_path), "--rows", "200", "--json")
    assert len(found["table3"]) == 24
    for row in found["table3"]:
        assert np.floor(row["printed"] * 1e4) == round(row["paper"] * 1e4)
        assert 8.4 < row["ratio"] < 14.3
    necessity = found["necessity"]
    assert necessity["delta_at_exact_sigma"] == pytest.approx(necessity["target_delta"], rel=1e-9)
    assert necessity["delta_at_0.999_sigma"] > necessity["target_delta"] * 1.01
    (digits,) = found["utility"]
    assert max(np.subtract(digits["accuracy"]["exact"], digits["accuracy"]["printed"])) > 0.2
    assert found["unexpected"] == []
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "How much noise forgetting needs" in page
    assert {p.stem for p in (tmp_path / "claims").iterdir()} == set(few)
    assert (tmp_path / "headline.svg").read_text("utf-8").startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rows", "5"], "rows must be an integer >= 100"),
        (["--test-share", "1"], "test_share must be in (0, 0.9"),
        (["--paper", "mini", "--rows", "500"], "rows must not be given for mini"),
        (["--paper", "olu", "--test-share", "0.1"], "test_share must not be given for olu"),
    ],
    ids=["too few rows", "nothing to learn from", "made data", "no rows held out"],
)
def test_demo_refuses_what_it_does_not_use(capsys, tmp_path, arguments, message):
    assert run(["demo", "--out", str(tmp_path / "out"), *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_sizes_of_the_demo_follow_the_options():
    from simulators.data.synthetic import two_gaussians
    from verify.showcases.data import Chosen

    data = two_gaussians(357, 2)
    assert len(Chosen(None, None, 0.2).cut(data)) == 357
    assert len(Chosen(None, 200, 0.2).cut(data, 300)) == 200
    assert len(Chosen(None, None, 0.2).cut(data, 300)) == 300
    assert Chosen(None, None, 0.2).learned(357, 32) == 256
    assert Chosen(None, None, 0.2).learned(1984, 128) == 1536
    assert Chosen(None, None, 0.5).learned(357, 32) == 160
    assert Chosen(None, None, 0.2).images(10) is None


def test_without_a_device_every_simulation_says_so_in_the_same_words(monkeypatch, capsys):
    import shlex

    import torch

    from bounds.declared import EXPERIMENTS

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    for name in sorted(EXPERIMENTS.names()):
        words = shlex.split(EXPERIMENTS.get(name).example)
        assert run(["simulate", name, *words, "--device", "cuda"]) == 2
        said = "forgetproof: device must be 'auto' or 'cpu' on this machine: it has no CUDA device"
        assert capsys.readouterr().err.strip() == said
