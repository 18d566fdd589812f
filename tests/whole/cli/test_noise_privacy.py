"""`noise` and `privacy`: the numbers of Table 3, both directions, and clear errors."""

import json
import logging
import math

import pytest

from forgetproof import progress
from forgetproof.cli import run

MNIST = [
    "--n",
    "11264",
    "--smoothness",
    "0.261264",
    "--strong-convexity",
    "0.011264",
    "--delta",
    "1/11264",
]


def call(capsys, *arguments):
    code = run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def document(capsys, *arguments):
    code, out, err = call(capsys, *arguments, "--json")
    assert code == 0, err
    return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))


# (b, epsilon) -> sigma printed (before truncation) and exact, from 40-digit computations.
TABLE = {
    (128, "0.05"): (0.0790559734, 0.0060345722),
    (128, "1"): (0.0041000659, 0.0004264605),
    (128, "5"): (0.0009331113, 0.0001062554),
    (11264, "0.05"): (0.9438478877, 0.0720466523),
    (11264, "1"): (0.0489506155, 0.0050915050),
    (11264, "5"): (0.0111403990, 0.0012685811),
}


@pytest.mark.parametrize(("b", "epsilon"), TABLE)
def test_table_3(capsys, b, epsilon):
    asked = ["--epsilon", epsilon, "--batch-size", str(b)]
    found = document(capsys, "noise", "langevin", *asked, *MNIST)
    printed, exact = TABLE[b, epsilon]
    assert found["accountants"]["printed"]["sigma"] == pytest.approx(printed, abs=1e-10)
    assert found["accountants"]["exact"]["sigma"] == pytest.approx(exact, abs=1e-10)
    assert found["recommended"] == "exact"
    assert found["assumptions"]["adjacency"] == "replace"


@pytest.mark.parametrize("target", [("stationary",), ("T", "--radius", "100"), ("T+K",)])
def test_privacy_of_the_calibrated_noise_is_the_target(capsys, target):
    shared = ["--batch-size", "128", *MNIST, "--target", *target]
    if target[0] != "stationary":
        shared += ["--learn-epochs", "20"]
    noise = document(capsys, "noise", "langevin", "--epsilon", "0.7", *shared)
    for name, found in noise["accountants"].items():
        sigma = repr(found["sigma"])
        back = document(capsys, "privacy", "langevin", "--sigma", sigma, *shared)
        epsilon = back["accountants"][name]["epsilon"]
        assert epsilon == pytest.approx(0.7, rel=1e-9)


@pytest.mark.parametrize("order", ["fixed", "random"])
def test_accountants_are_ordered(capsys, order):
    found = document(
        capsys,
        "noise",
        "langevin",
        "--epsilon",
        "1",
        "--batch-size",
        "128",
        "--batch-order",
        order,
        *MNIST,
    )["accountants"]
    assert found["exact"]["sigma"] <= found["corrected"]["sigma"] < found["printed"]["sigma"]


def test_factors_multiply_to_the_whole(capsys):
    found = document(capsys, "noise", "langevin", "--epsilon", "1", "--batch-size", "128", *MNIST)
    sigma = found["accountants"]
    whole = sigma["printed"]["sigma"] / sigma["exact"]["sigma"]
    assert math.prod(found["details"]["factors"].values()) == pytest.approx(whole, rel=1e-12)
    rounded = {name: round(value, 2) for name, value in found["details"]["factors"].items()}
    assert rounded == {
        "variance": 1.41,
        "triangle": 1.43,
        "iteration": 3.44,
        "conversion": 1.25,
        "Rényi": 1.10,
        "trajectory": 1.00,
    }


@pytest.mark.parametrize(
    ("b", "printed", "exact"),
    [(32, 100, 100), (128, 100, 100), (512, 149, 100), (11264, 1786, 361)],
)
def test_a_hundred_requests(capsys, b, printed, exact):
    found = document(
        capsys,
        "noise",
        "langevin",
        "--epsilon",
        "1",
        "--batch-size",
        str(b),
        "--requests",
        "100",
        "--sigma",
        "0.03",
        *MNIST,
    )["accountants"]
    assert found["printed"]["details"]["total_epochs"] == printed
    assert found["exact"]["details"]["total_epochs"] == exact
    assert len(found["exact"]["details"]["epochs"]) == 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--epsilon", "-1"], "epsilon must be in [0"),
        (["--epsilon", "nan"], "epsilon"),
        (["--epsilon", "1", "--delta", "1"], "delta must be in (0, 1)"),
        (["--epsilon", "1", "--batch-size", "100"], "batch_size must be a divisor of n"),
        (["--epsilon", "1", "--step-size", "8"], "step_size must be in (0, 2/(L + m)"),
        (["--epsilon", "1", "--step-size", "q"], "step_size"),
        (["--epsilon", "1", "--strong-convexity", "1"], "strong_convexity must be in [0"),
        (
            ["--epsilon", "1", "--hypothesis", "lipschitz", "--radius", "100"],
            "lipschitz must be >=",
        ),
        (["--epsilon", "1", "--target", "T"], "learn_epochs must be"),
        (["--epsilon", "1", "--target", "T", "--learn-epochs", "3"], "radius must be finite"),
        (["--epsilon", "1", "--unlearn-epochs", "0"], "unlearn_epochs must be"),
        (
            ["--epsilon", "1", "--requests", "2", "--batch-order", "random"],
            "batch_order must be fixed",
        ),
        (["--epsilon", "1", "--n", "0"], "n must be"),
        (["--epsilon", "1", "--n", "12.5"], "whole number"),
        (["--epsilon", "__import__('os')"], "not a number"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, arguments, message):
    code, out, err = call(capsys, "noise", "langevin", *MNIST, *arguments)
    assert code == 2
    assert out == ""
    assert message in err
    assert len(err.strip().splitlines()) == 1
    assert "Traceback" not in err


def test_help_has_an_example(capsys):
    for command in ("noise", "privacy"):
        _, out, _ = call(capsys, command, "langevin", "--help")
        assert f"forgetproof {command} langevin" in " ".join(out.split())


@pytest.mark.parametrize(
    ("question", "given"), [("noise", ("--epsilon", "1")), ("privacy", ("--sigma", "1"))]
)
def test_an_accountant_that_takes_long_is_named_on_standard_error(
    capsys, monkeypatch, question, given
):
    words = question, "langevin", *given, "--batch-size", "128", *MNIST
    code, out, err = call(capsys, *words)
    assert (code, err) == (0, "")
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    code, same, err = call(capsys, *words)
    assert (code, same) == (0, out)
    told = [line.split()[0] for line in out.splitlines() if line.startswith("  ")]
    names = [line.removeprefix("langevin: accountant ") for line in err.splitlines()]
    assert names
    assert all(name.removesuffix(" ...") in told for name in names)
    assert logging.getLogger("accounting.problems").handlers == []
