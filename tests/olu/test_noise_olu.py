"""`noise online` and `privacy online`: the reference numbers, both directions, and clear errors."""

import json
import math

import numpy as np
import pytest

from forgetproof.cli import run

STRONG = ["--strong-convexity", "1", "--smoothness", "3", "--lipschitz", "1", "--diameter", "2"]
CONVEX = ["--smoothness", "3", "--lipschitz", "1", "--diameter", "2"]
UNBOUNDED = ["--strong-convexity", "0", "--diameter", "inf"]


@pytest.fixture
def schedule(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "norms").write_text("1\n" * 20)
    path = tmp_path / "deletions.csv"
    path.write_text("index,time\n4,6\n5,14\n")
    return ["--schedule", str(path)]


def document(capsys, *arguments):
    code = run([*arguments, "--json"])
    out, err = capsys.readouterr()
    assert code == 0, err
    return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))


def complaint(capsys, *arguments):
    code = run(list(arguments))
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert "internal" not in err
    return err


def test_the_reference_numbers(capsys, schedule):
    found = document(capsys, "noise", "online", "--epsilon", "0.1", *schedule, *STRONG)
    sigma = {name: entry["sigma"] for name, entry in found["accountants"].items()}
    assert sigma["printed"][1] == pytest.approx(0.00324293810, rel=1e-8)
    assert sigma["corrected"][1] == pytest.approx(0.638609349432, rel=1e-9)
    assert sigma["exact"][1] == pytest.approx(0.297921795862, rel=1e-9)
    assert found["places"] == {
        "index": [4, 5], "time": [6, 14], "shift": pytest.approx([1 / 5, 1 / 13], rel=1e-12)
    }  # fmt: skip
    assert found["recommended"] == "exact"
    assert found["target"] == {"epsilon": 0.1, "delta": None}
    assert "the projection follows the noise" in found["assumptions"]["conditions"]
    assert found["problem"]["step_size"] == "1/(mu*t)"
    valid = {name: entry["valid"] for name, entry in found["accountants"].items()}
    assert valid == {"printed": False, "corrected": True, "exact": True}
    # mu of the printed noise: S_2 = 2/13 and V_2 by hand.
    v = sigma["printed"][0] ** 2 * (5 / 13) ** 2 + sigma["printed"][1] ** 2
    truth = found["accountants"]["printed"]["epsilon"]
    assert truth == pytest.approx((2 / 13) ** 2 / (2 * v), rel=1e-9)


def test_the_regret_added_is_labelled(capsys, schedule):
    arguments = ["noise", "online", "--epsilon", "0.1", *schedule, *STRONG, "--dimension", "5"]
    found = document(capsys, *arguments, "--rounds", "100")
    added = found["accountants"]["exact"]["details"]["regret_of_noise"]
    assert added == pytest.approx([5 * 0.2 * 5 / 2, 5 * 0.297921795862**2 * 13 / 2], rel=1e-9)
    comparator = found["places"]["regret_of_comparator"]
    assert comparator == pytest.approx([0.94, 0.86], rel=1e-12)
    assert "regret_of_comparator" not in document(capsys, *arguments)["places"]


@pytest.mark.parametrize("delta", [None, "1e-5"])
@pytest.mark.parametrize("convention", ["A", "B", "C"])
def test_privacy_of_the_exact_noise_is_the_target(capsys, schedule, delta, convention):
    shared = [*schedule, *STRONG, "--convention", convention]
    shared += ["--delta", delta] if delta else []
    noise = document(capsys, "noise", "online", "--epsilon", "0.7", *shared)
    for name, worst in (("exact", 0.7), ("corrected", None)):
        sigma = str(noise["accountants"][name]["sigma"])
        back = document(capsys, "privacy", "online", "--sigma", sigma, *shared)["accountants"]
        assert len(back[name]["each_epsilon"]) == 2
        assert back[name]["epsilon"] == max(back[name]["each_epsilon"])
        assert back[name]["epsilon"] <= 0.7
        if worst:
            assert back[name]["epsilon"] == pytest.approx(0.7, rel=1e-9)
        truth = noise["accountants"][name]["epsilon"]
        assert back["exact"]["epsilon"] == pytest.approx(truth, rel=1e-12)


def test_the_three_budgets_of_epsilon_and_delta(capsys, schedule):
    """Where the shifts agree (convex losses) only conversion and allocation differ."""
    found = document(
        capsys,
        "noise",
        "online",
        "--epsilon",
        "0.1",
        "--delta",
        "1e-5",
        *schedule,
        *CONVEX,
        "--step-size",
        "constant",
        "--rounds",
        "100",
    )
    entries = found["accountants"]
    assert all(entry["valid"] for entry in entries.values())
    log, a = math.log(1e5), 0.2
    printed = 0.1**2 / (2 * 0.1 + 4 * log)
    best = (math.sqrt(log + 0.1) - math.sqrt(log)) ** 2
    assert entries["printed"]["sigma"][0] == pytest.approx(a * math.sqrt(6 / 2 / printed))
    assert entries["corrected"]["sigma"][0] == pytest.approx(a * math.sqrt(6 / 2 / best))
    assert entries["exact"]["epsilon"] == pytest.approx(0.1, rel=1e-9)
    names = ("printed", "corrected", "exact")
    total = [entries[name]["details"]["total_variance"] for name in names]
    assert total[0] > total[1] > 10 * total[2]
    assert found["guarantee"] == "(0.1, 1e-05)-indistinguishable"


def test_one_accountant(capsys, schedule):
    arguments = [*schedule, *STRONG, "--accountant", "printed"]
    found = document(capsys, "noise", "online", "--epsilon", "1", *arguments)
    assert list(found["accountants"]) == ["printed"]
    found = document(capsys, "privacy", "online", "--sigma", "1", *arguments)
    assert list(found["accountants"]) == ["printed"]


@pytest.mark.parametrize(
    ("options", "steps"),
    [
        ([], [2 / math.sqrt(4), 2 / math.sqrt(5)]),
        (["--step-size", "D/(L*sqrt(t))"], [2 / math.sqrt(4), 2 / math.sqrt(5)]),
        (["--step-size", "0.3"], [0.3, 0.3]),
        (["--step-size", "min(1/t, 0.22)"], [0.22, 0.2]),
        (["--step-size", "t**(-1/2)/beta"], [0.5 / 3, 5**-0.5 / 3]),
        (["--step-size", "T/(100*t)", "--rounds", "50"], [0.125, 0.1]),
        (["--step-size", "constant", "--rounds", "16"], [0.5, 0.5]),
    ],
)
def test_step_sizes_of_convex_losses(capsys, schedule, options, steps):
    found = document(
        capsys,
        "noise",
        "online",
        "--epsilon",
        "1",
        *schedule,
        *CONVEX,
        "--smoothness",
        "0.1",
        *options,
    )
    if "t**(-1/2)/beta" in options:
        steps = [min(s * 30, 2.0) for s in steps]  # the diameter
    assert found["places"]["shift"] == pytest.approx(steps, rel=1e-12)


def test_constant_steps_of_strongly_convex_losses(capsys, schedule):
    arguments = [*schedule, *STRONG, "--step-size", "constant"]
    found = document(capsys, "noise", "online", "--epsilon", "1", *arguments)
    assert found["places"]["shift"] == pytest.approx([0.5 * 0.5**1, 0.5 * 0.5**8], rel=1e-12)


def test_adaptive_steps(capsys, schedule, tmp_path):
    norms = tmp_path / "norms"
    norms.write_text("\n".join(["1", "0", "0.5"] * 5))
    arguments = [
        "noise",
        "online",
        "--epsilon",
        "1",
        *schedule,
        *CONVEX,
        "--smoothness",
        "0.1",
        "--step-size",
        "adaptive",
        "--gradient-norms",
        str(norms),
    ]
    found = document(capsys, *arguments)
    p = np.cumsum(np.array([1, 0, 0.5] * 5) ** 2)
    assert found["places"]["shift"] == pytest.approx(2 / np.sqrt(p[[3, 4]]), rel=1e-12)
    assert "the gradient norms are public" in "".join(found["assumptions"]["conditions"])
    norms.write_text("1\n" * 10)
    assert "every round up to 13" in complaint(capsys, *arguments)
    norms.write_text("0\n" * 20)
    assert "gradient_norms must begin with a number > 0" in complaint(capsys, *arguments)
    norms.write_text("1.5\n" * 20)
    assert "gradient_norms must be in [0, 1]" in complaint(capsys, *arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--epsilon", "-1"], "epsilon must be in (0"),
        (["--epsilon", "nan"], "epsilon"),
        (["--delta", "1"], "delta must be in (0, 1)"),
        (["--delta", "0"], "delta must be in (0, 1)"),
        (["--smoothness", "0.5"], "smoothness must be >= strong_convexity"),
        (["--lipschitz", "inf"], "lipschitz must be"),
        (["--dimension", "0"], "dimension must be"),
        (["--rounds", "13"], "rounds must be an integer in [14"),
        (["--omega", "1"], "omega must be > 1"),
        (["--diameter", "0"], "diameter must be > 0"),
        (["--step-size", "q"], "step_size must be adaptive, constant, or an expression"),
        ([*UNBOUNDED, "--step-size", "D/t"], "(given --diameter)"),
        (["--step-size", "1/(mu-mu)"], "step_size must be"),
        (["--step-size", "(0-1)**0.5*t"], "step_size must be"),
        (["--step-size", "1-t"], "step_size must be > 0"),
        (["--step-size", "1/(t-4)"], "step_size must be > 0"),
        (["--step-size", "log(t-100)"], "step_size must be > 0"),
        (["--step-size", "[1, t]"], "step_size must be"),
        (["--step-size", "__import__('os')"], "step_size must be"),
        (["--step-size", "t" * 300], "step_size must be"),
        (["--step-size", "t**9**9**9"], "step_size must be"),
        (["--step-size", "adaptive"], "gradient_norms must be a file of one norm per round"),
        (["--gradient-norms", "norms"], "gradient_norms must be left out"),
        (
            [*UNBOUNDED, "--step-size", "adaptive", "--gradient-norms", "norms"],
            "diameter must be finite",
        ),
        (UNBOUNDED, "step_size must be"),
        (["--diameter", "inf"], "diameter must be finite where strong_convexity > 0"),
        (["--diameter", "2.0001"], "lipschitz must be >= strong_convexity * diameter/2"),
        (
            ["--strong-convexity", "0.1", "--diameter", "1e6"],
            "lipschitz must be >= strong_convexity * diameter/2 = 50000, got 1",
        ),
        (["--strong-convexity", "0", "--step-size", "constant"], "rounds must be given"),
        (["--schedule", "/absent"], "'/absent' must be a file that can be read"),
        (["--convention", "D"], "D"),
        (["--accountant", "D"], "D"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, schedule, arguments, message):
    shared = ["noise", "online", "--epsilon", "1", *schedule, *STRONG]
    assert message in complaint(capsys, *shared, *arguments)


@pytest.mark.parametrize(
    "sigma", ["-1", "nan", "x", "[1]", "[1, 2, 3]", "[[1, 2]]", "{1: 2}", "[]", "inf", "'a'", "[1,"]
)
def test_bad_sigma_is_named(capsys, schedule, sigma):
    error = complaint(capsys, "privacy", "online", "--sigma", sigma, *schedule, *STRONG)
    assert "sigma must be" in error


def test_a_time_too_early_for_its_index(capsys, tmp_path):
    path = tmp_path / "s.json"
    path.write_text("[[4, 4]]")
    error = complaint(capsys, "noise", "online", "--epsilon", "1", "--schedule", str(path), *STRONG)
    assert "times must be >= 5 for index 4 in convention C, got 4" in error
    arguments = ["--schedule", str(path), *STRONG, "--convention", "A"]
    assert document(capsys, "noise", "online", "--epsilon", "1", *arguments)["accountants"]


def test_one_accountant_beyond_the_floats_leaves_the_others(capsys, schedule):
    """Steps of 1e300: the printed allocation does not know the diameter."""
    given = ["--epsilon", "1e-300", *schedule, *STRONG, "--step-size", "1e300"]
    found = document(capsys, "noise", "online", *given)
    printed = found["accountants"]["printed"]
    assert "must make every sigma a float" in printed["details"]["failed"]
    assert set(printed["sigma"]) == {"inf"}
    assert found["recommended"] == "exact"
    assert max(found["accountants"]["exact"]["sigma"]) < 1e151


def test_no_noise_certifies_nothing_and_is_json(capsys, schedule):
    found = document(capsys, "privacy", "online", "--sigma", "0", *schedule, *STRONG)
    assert {entry["epsilon"] for entry in found["accountants"].values()} == {"inf"}


def test_the_tables_read(capsys, schedule):
    assert run(["noise", "online", "--epsilon", "0.1", *schedule, *STRONG, "--rounds", "20"]) == 0
    out = capsys.readouterr().out
    assert "NOT valid: its true epsilon is 0.6823, not 0.1" in out
    assert "<- recommended" in out
    assert "5 14 0.07692 0.3 0.5769 0.298 problem:" in " ".join(out.split())
    assert run(["privacy", "online", "--sigma", "1", *schedule, *STRONG]) == 0
    assert "which is NOT true" in capsys.readouterr().out


def test_many_deletions_are_cut_in_the_table_only(capsys, tmp_path):
    path = tmp_path / "s.json"
    path.write_text(json.dumps([[i, i + 1000] for i in range(1, 1001)]))
    arguments = ["--schedule", str(path), *STRONG]
    assert run(["noise", "online", "--epsilon", "0.1", *arguments]) == 0
    assert "... and 960 more; --json lists all" in capsys.readouterr().out
    found = document(capsys, "noise", "online", "--epsilon", "0.1", *arguments)
    assert len(found["accountants"]["exact"]["sigma"]) == 1000
    sigma = str(found["accountants"]["exact"]["sigma"])
    back = document(capsys, "privacy", "online", "--sigma", sigma, *arguments)
    assert back["accountants"]["exact"]["epsilon"] == pytest.approx(0.1, rel=1e-9)


def test_help_has_an_example(capsys):
    for command in ("noise", "privacy"):
        run([command, "online", "--help"])
        assert f"forgetproof {command} online" in " ".join(capsys.readouterr().out.split())
