"""`noise safe` and `privacy safe`: least noise by each accountant, and the way back."""

import json
import math

import pytest

from accounting import delta_gdp, mu_gdp
from forgetproof.cli import run

STREAM = [
    "--n",
    "2000",
    "--rounds",
    "5",
    "--size",
    "20",
    "--lipschitz",
    "1",
    "--strong-convexity",
    "0.1",
    "--smoothness",
    "0.6",
    "--steps",
    "40",
]


def document(capsys, *arguments):
    assert run([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_every_accountant_by_its_formula(capsys):
    found = document(capsys, "noise", "safe", "--epsilon", "0.5", "--delta", "1e-5", *STREAM)
    accountants = found["accountants"]
    kappa = math.sqrt(2 * math.log(1.25e5)) / 0.5
    assert accountants["printed"]["sigma"] == pytest.approx([math.sqrt(10 * kappa)] * 5)
    gamma = math.sqrt(10) / math.sqrt(5)
    away = [2 * 20 * t / (0.1 * 2000) + gamma for t in range(1, 6)]
    assert accountants["corrected"]["sigma"] == pytest.approx([kappa * a for a in away])
    mu = float(mu_gdp(0.5, 1e-5))
    assert accountants["exact"]["sigma"] == pytest.approx([a / mu for a in away])
    rho, now, tracked = 0.5 / 0.7, 0.0, []
    for t in range(5):
        now = rho**40 * (now + 2 * 20 / (0.1 * (2000 - 20 * t)))
        tracked.append(now / mu)
    assert accountants["tracking"]["sigma"] == pytest.approx(tracked)
    assert found["recommended"] == "tracking"
    assert [a["valid"] for a in accountants.values()] == [False, True, True, True]


def test_the_printed_noise_does_not_certify_what_it_claims(capsys):
    found = document(capsys, "noise", "safe", "--epsilon", "1", "--delta", "1e-5", *STREAM)
    printed = found["accountants"]["printed"]
    away = 2 * 100 / (0.1 * 2000) + math.sqrt(10 / 5)
    epsilon = printed["epsilon"]
    assert epsilon > 1
    assert delta_gdp(away / printed["sigma"][0], epsilon) == pytest.approx(1e-5, rel=1e-6)


@pytest.mark.parametrize("releases", ["1", "3"])
def test_the_way_back(capsys, releases):
    several = [*STREAM, "--releases", releases]
    noise = document(capsys, "noise", "safe", "--epsilon", "1", "--delta", "1e-5", *several)
    for name in ("exact", "tracking"):
        sigmas = json.dumps(noise["accountants"][name]["sigma"])
        back = document(capsys, "privacy", "safe", "--sigma", sigmas, "--delta", "1e-5", *several)
        assert back["accountants"][name]["each_epsilon"] == pytest.approx([1] * 5, rel=1e-9)
        assert back["accountants"][name]["epsilon"] <= 1


def test_sizes_as_a_list_and_a_step_of_ones_own(capsys):
    base = ["--n", "100", "--lipschitz", "1", "--strong-convexity", "0.1", "--smoothness", "1"]
    target = ["--epsilon", "1", "--delta", "1e-5"]
    one = document(capsys, "noise", "safe", *target, *base, "--sizes", "[1, 0, 5]", "--gamma", "0")
    mu = float(mu_gdp(1.0, 1e-5))
    expected = [2 * m / (0.1 * 100) / mu for m in (1, 1, 6)]
    assert one["accountants"]["exact"]["sigma"] == pytest.approx(expected)


def test_tables_for_readers(capsys):
    assert run(["noise", "safe", "--epsilon", "1", "--delta", "1e-5", *STREAM]) == 0
    out = capsys.readouterr().out
    assert "NOT valid: its true epsilon is" in out
    assert "<- recommended" in out
    assert "retraining on what is kept, then the same noise" in out
    assert run(["privacy", "safe", "--sigma", "1", "--delta", "1e-5", *STREAM]) == 0
    assert "tracking" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        (["--epsilon", "-1"], "epsilon"),
        (["--delta", "1"], "delta"),
        (["--n", "100"], "sizes"),
        (["--rounds", "0"], "rounds"),
        (["--size", "-1"], "size"),
        (["--sizes", "[1, x]"], "sizes"),
        (["--sizes", "[1.5]"], "sizes"),
        (["--lipschitz", "0"], "lipschitz"),
        (["--strong-convexity", "0"], "strong_convexity"),
        (["--smoothness", "0.05"], "smoothness"),
        (["--steps", "0"], "steps"),
        (["--releases", "6"], "releases"),
        (["--constant", "0"], "constant"),
        (["--gamma", "-1"], "gamma"),
        (["--radius", "0"], "radius"),
        (["--initial", "-1"], "initial"),
        (["--sizes", "[4611686018427387904, 4611686018427387904]"], "sizes"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else x,
)
def test_bad_input_is_one_line(capsys, changes, name):
    arguments = ["noise", "safe", "--epsilon", "1", "--delta", "1e-5", *STREAM, *changes]
    assert run(arguments) == 2
    err = capsys.readouterr().err.strip()
    assert name in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "value", "without"),
    [
        ("epsilon", "1e-320", {"printed", "corrected"}),
        ("radius", "1e308", {"printed"}),
        ("gamma", "1e308", {"corrected", "exact"}),
    ],
)
def test_accountants_that_overflow_take_no_other_with_them(capsys, name, value, without):
    asked = {"epsilon": "1", "delta": "1e-5", name: value}
    options = [word for name, x in asked.items() for word in (f"--{name}", x)]
    found = document(capsys, "noise", "safe", *options, *STREAM)["accountants"]
    failed = {each for each, answer in found.items() if "failed" in answer["details"]}
    assert failed == without
    assert all(set(found[each]["sigma"]) == {"inf"} for each in failed)


@pytest.mark.parametrize("sigma", ["[1, 2]", "x", "-1"])
def test_bad_noise_is_one_line(capsys, sigma):
    assert run(["privacy", "safe", "--sigma", sigma, "--delta", "1e-5", *STREAM]) == 2
    assert "sigma must be" in capsys.readouterr().err
