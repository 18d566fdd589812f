"""`noise` and `privacy` of recollection: noise of a certified error, both ways, clear errors."""

import json
import math

import numpy as np
import pytest

from accounting.curves.gaussian import delta_gdp, mu_gdp
from bounds.hf.certificates import error_aposteriori, error_apriori
from bounds.hf.noise import achieved_delta, largest_error, noise, privacy
from bounds.hf.placement import batch_sizes, error_anywhere, error_up_to
from forgetproof.cli import run

TARGET = ["--epsilon", "1", "--delta", "1e-5"]
TRAINING = [
    "--step-size",
    "0.05",
    "--decay",
    "0.995",
    "--clip",
    "10",
    "--epochs",
    "50",
    "--n",
    "1000",
    "--strong-convexity",
    "0.1",
    "--smoothness",
    "3",
    "--hessian-lipschitz",
    "0.5",
]
UNCLIPPED = [*TRAINING[:4], *TRAINING[6:]]


def call(capsys, *arguments):
    code = run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def document(capsys, *arguments):
    code, out, err = call(capsys, *arguments, "--json")
    assert code == 0, err
    return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))


# epsilon, delta, error -> literal std, classical, analytic, and the true delta of the first two.
REFERENCE = [
    ("1", "1e-5", "1", 2.201091834, 4.844805263, 3.730631635, 0.00357413, 4.11369e-8),
    ("0.5", "1e-6", "0.1", 0.7279287415, 1.059760505, 0.8057618481, 5.85484e-6, 1.24997e-9),
    ("0.1", "1e-5", "0.02", 0.3112813924, 0.9689610525, 0.6149913226, 0.00173786, 2.63594e-9),
]


@pytest.mark.parametrize(
    ("epsilon", "delta", "error", "literal", "classical", "exact", "first", "second"), REFERENCE
)
def test_reference_noise(capsys, epsilon, delta, error, literal, classical, exact, first, second):
    found = document(
        capsys, "noise", "recollection", "--epsilon", epsilon, "--delta", delta, "--error", error
    )
    by = found["accountants"]
    assert by["printed"]["sigma"] == pytest.approx(literal, rel=1e-9)
    assert by["corrected"]["sigma"] == pytest.approx(classical, rel=1e-9)
    assert by["exact"]["sigma"] == pytest.approx(exact, rel=1e-9)
    assert by["printed"]["details"]["delta"] == pytest.approx(first, rel=1e-5)
    assert by["corrected"]["details"]["delta"] == pytest.approx(second, rel=1e-5)
    assert [by[name]["valid"] for name in by] == [False, None, None]
    assert found["recommended"] is None
    assert found["apply"] is None
    assert "one measurement shows one run" in found["conditional_on"]
    assert found["problem"]["error_source"] == "given, not proved"


@pytest.mark.parametrize(
    ("hessian", "error"), [("kept", 7.134480146e-5), ("batch", 1.340889996e-4)]
)
def test_error_certified_before_the_run(capsys, hessian, error):
    found = document(capsys, "noise", "recollection", *TARGET, *TRAINING, "--hessian", hessian)
    assert found["problem"]["error"] == pytest.approx(error, rel=1e-9)
    assert found["problem"]["error_source"] == "certified a priori"
    exact = found["accountants"]["exact"]["sigma"]
    assert exact == pytest.approx(error * 3.730631635, rel=1e-9)


def test_error_certified_after_the_run(capsys, tmp_path):
    file = tmp_path / "norms.csv"
    norms = [0.0, 0.2, 0.3, 0.25]
    file.write_text("missing,norm\n2,0.0\n0,0.2\n2,0.3\n0,0.25\n")
    found = document(
        capsys,
        "noise",
        "recollection",
        *TARGET,
        "--norms",
        str(file),
        "--step-size",
        "0.3",
        "--epochs",
        "2",
        "--n",
        "7",
        "--batch-size",
        "4",
        "--strong-convexity",
        "-0.1",
        "--smoothness",
        "1",
        "--hessian-lipschitz",
        "2",
        "--hessian",
        "batch",
    )
    bound = error_aposteriori([0.3] * 4, [2, 0, 2, 0], [4, 3, 4, 3], norms, -0.1, 1, 2, "batch")
    assert found["problem"]["error"] == bound[-1]
    assert found["problem"]["error_source"] == "certified a posteriori"
    code, _, err = call(capsys, "noise", "recollection", *TARGET, *UNCLIPPED, "--norms", str(file))
    assert code == 2
    assert "norms must have 50 lines" in err


@pytest.mark.parametrize("k", ["1", "7"])
def test_privacy_of_the_calibrated_noise_is_the_target(capsys, k):
    shared = ["--delta", "1e-6", "--error", "0.03", "--releases", k]
    by = document(capsys, "noise", "recollection", "--epsilon", "0.7", *shared)["accountants"]
    for name in ("corrected", "exact"):
        sigma = repr(by[name]["sigma"])
        back = document(capsys, "privacy", "recollection", "--sigma", sigma, *shared)["accountants"]
        assert back[name]["epsilon"] == pytest.approx(0.7, rel=1e-9)
        assert back[name]["valid"] is None
    sigma = repr(by["printed"]["sigma"])
    back = document(capsys, "privacy", "recollection", "--sigma", sigma, *shared)["accountants"]
    true = pytest.approx(delta_gdp(0.03 * int(k) ** 0.5 / float(sigma), 0.0))
    assert back["printed"]["epsilon"] == 0
    assert back["printed"]["details"] == {"delta": true}
    assert back["printed"]["valid"] is False


def test_certify_or_retrain(capsys):
    small = document(capsys, "noise", "recollection", *TARGET, "--error", "0.01", "--sigma", "0.1")
    large = document(capsys, "noise", "recollection", *TARGET, "--error", "0.03", "--sigma", "0.1")
    limit = small["details"]["certify_or_retrain"]["largest_error"]
    assert limit == pytest.approx(0.1 / 3.730631635, rel=1e-9)
    assert small["details"]["certify_or_retrain"]["decision"] == "certify"
    assert large["details"]["certify_or_retrain"]["decision"] == "retrain"
    at = document(capsys, "noise", "recollection", *TARGET, "--error", repr(limit))
    assert at["accountants"]["exact"]["sigma"] <= 0.1 * (1 + 1e-12)


def test_text_names_what_is_false_and_what_it_rests_on(capsys):
    code, out, _ = call(capsys, "noise", "recollection", *TARGET, *TRAINING, "--sigma", "1e-4")
    assert code == 0
    assert "<- recommended" in out
    assert "certified a priori" in out
    assert "here: retrain" in out
    code, out, _ = call(capsys, "noise", "recollection", *TARGET, "--error", "1")
    assert "NOT valid: its true epsilon is 1.792, not 1" in out
    given = ["--sigma", "1", "--delta", "1e-5", "--error", "9"]
    code, out, _ = call(capsys, "privacy", "recollection", *given)
    assert "which is NOT true" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--error", "-1"], "error must be >= 0"),
        (["--error", "inf"], "error must be >= 0 and finite"),
        ([], "step_size must be given"),
        (["--error", "1", "--n", "10"], "n must not be given with error"),
        (["--error", "1", "--epsilon", "-1"], "epsilon must be in [0"),
        (["--error", "1", "--delta", "0"], "delta must be in (0, 1)"),
        (["--error", "1", "--releases", "0"], "releases must be"),
        (["--error", "1", "--sigma", "0"], "sigma must be > 0"),
        ([*TRAINING, "--clip", "-1"], "clip must be"),
        (UNCLIPPED, "clip must be given"),
        ([*TRAINING, "--decay", "0"], "decay must be in (0, 1]"),
        ([*TRAINING, "--decay", "1e-300"], "decay must leave every step positive"),
        ([*TRAINING, "--smoothness", "0.01"], "smoothness must be >="),
        ([*TRAINING, "--deletions", "2000"], "deletions must be"),
        (
            [*TRAINING, "--deletions", "10**5", "--n", "10**6", "--batch-size", "1000"],
            "deletions must be fewer",
        ),
        ([*TRAINING, "--batch-size", "2000"], "batch_size must be"),
        ([*TRAINING, "--epochs", "10**9"], "epochs must give"),
        ([*TRAINING, "--step-size", "1e9"], "steps must be smaller"),
        ([*UNCLIPPED, "--norms", "nowhere.csv"], "'nowhere.csv' must be a file"),
    ],
)
def test_bad_input_is_one_line(capsys, arguments, message):
    code, out, err = call(capsys, "noise", "recollection", *TARGET, *arguments)
    assert code == 2
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert message in err


@pytest.mark.parametrize(
    "text",
    [
        "",
        "m,a\n0,1",
        "missing,norm\n0",
        "missing,norm\n0,x",
        "missing,norm\n0,nan",
        "missing,norm\n0.5,1",
        "missing,norm\n9,1",
        "missing,norm\n0,-1",
    ],
)
def test_broken_norms_are_one_line(capsys, tmp_path, text):
    file = tmp_path / "norms.csv"
    file.write_text(text)
    code, out, err = call(
        capsys,
        "noise",
        "recollection",
        *TARGET,
        "--norms",
        str(file),
        "--step-size",
        "0.3",
        "--epochs",
        "1",
        "--n",
        "4",
        "--strong-convexity",
        "0",
        "--smoothness",
        "1",
        "--hessian-lipschitz",
        "inf",
    )
    assert code == 2
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert "norm" in err or "missing" in err


def test_calibrated_noise_certifies_and_a_billionth_less_does_not():
    rng = np.random.default_rng(3)
    error, epsilon = np.exp(rng.normal(size=200) * 8), rng.uniform(0.001, 20, 200)
    delta = 10 ** rng.uniform(-30, -0.5, 200)
    for k in (1, 13):
        sigma = noise("exact", error, epsilon, delta, k)
        assert (achieved_delta(sigma, error, epsilon, k) <= delta).all()
        assert (error * math.sqrt(k) / sigma <= mu_gdp(epsilon, delta)).all()
        assert (achieved_delta(sigma * (1 - 1e-9), error, epsilon, k) > delta).all()
        limit = largest_error(sigma, epsilon, delta, k)
        assert (achieved_delta(sigma, limit, epsilon, k) <= delta).all()
        np.testing.assert_allclose(limit, error, rtol=1e-12)
        np.testing.assert_allclose(privacy("exact", sigma, error, delta, k), epsilon, rtol=1e-7)


def test_no_error_needs_no_noise_and_no_noise_hides_no_error():
    for name in ("printed", "corrected", "exact"):
        assert noise(name, 0.0, 1.0, 1e-5) == 0
    assert achieved_delta(0.0, 0.0, 1.0) == 0
    assert achieved_delta(0.0, 1e-300, 1.0) == 1
    with pytest.raises(ValueError, match="accountant must be one of"):
        noise("best", 1.0, 1.0, 1e-5)
    with pytest.raises(ValueError, match="accountant must be one of"):
        privacy("best", 1.0, 1.0, 1e-5)


def test_classical_noise_is_enough_up_to_epsilon_one_and_fails_beyond_the_known_edges():
    epsilon, delta = np.meshgrid(np.linspace(0.01, 1, 40), 10.0 ** -np.linspace(0.05, 12, 60))
    sigma = noise("corrected", 1.0, epsilon, delta)
    assert (achieved_delta(sigma, 1.0, epsilon) <= delta).all()
    edges = {1e-2: 6.772, 1e-3: 7.463, 1e-5: 8.420, 1e-8: 9.374, 1e-12: 10.248}
    for d, edge in edges.items():
        for epsilon, holds in ((edge - 2e-3, True), (edge + 2e-3, False)):
            sigma = noise("corrected", 1.0, epsilon, d)
            assert (achieved_delta(sigma, 1.0, epsilon) <= d) == holds


def test_worst_placement_against_every_placement():
    from itertools import product

    rng = np.random.default_rng(1)
    for _ in range(40):
        epoch = rng.integers(1, 4, rng.integers(1, 4))
        m, E = int(rng.integers(0, epoch.sum() + 1)), int(rng.integers(1, 4))
        steps = rng.uniform(0.05, 1.5, E * len(epoch))
        lam, Lam = float(rng.normal() * 0.7), float(rng.exponential())
        M = abs(lam) + float(rng.exponential())
        splits = [s for s in product(*(range(min(m, b) + 1) for b in epoch)) if sum(s) == m]
        for hessian in ("kept", "batch"):
            bound = error_anywhere(steps, epoch, m, 1.3, lam, M, Lam, hessian)
            every = [
                error_apriori(
                    steps, np.concatenate(c), np.tile(epoch, E), 1.3, lam, M, Lam, hessian
                )[-1]
                for c in product(splits, repeat=E)
            ]
            assert max(every) <= bound * (1 + 1e-12)
            assert bound <= 2 * max(every) + 1e-300
            if m == epoch.sum():
                assert bound == pytest.approx(max(every), rel=1e-12)


TEN = [
    "--step-size",
    "0.3",
    "--decay",
    "0.99",
    "--clip",
    "1",
    "--epochs",
    "30",
    "--n",
    "10",
    "--strong-convexity",
    "0.2",
    "--smoothness",
    "1.2",
    "--hessian-lipschitz",
    "0.5",
]


@pytest.mark.parametrize("hessian", ["kept", "batch"])
def test_more_deletions_never_need_less_noise(capsys, hessian):
    sigmas, epsilons = [], []
    for m in range(11):
        shared = ["--delta", "1e-5", *TEN, "--deletions", str(m), "--hessian", hessian]
        noise = document(capsys, "noise", "recollection", "--epsilon", "1", *shared)
        back = document(capsys, "privacy", "recollection", "--sigma", "5", *shared)
        sigmas.append(noise["accountants"]["exact"]["sigma"])
        epsilons.append(back["accountants"]["exact"]["epsilon"])
    assert sigmas == sorted(sigmas)
    assert epsilons == sorted(epsilons)
    assert sigmas[0] == 0
    if hessian == "kept":  # 7 deletions are the worst; exactly 9 need 3.678, exactly 10 nothing
        assert sigmas[7] == pytest.approx(6.6619062631, rel=1e-9)
        assert sigmas[7:] == [sigmas[7]] * 4


def test_the_largest_error_up_to_a_number_of_deletions():
    rng = np.random.default_rng(8)
    inside = 0
    for _ in range(60):
        epoch = rng.integers(1, 7, rng.integers(1, 5))
        m = int(rng.integers(0, epoch.sum() + 1))
        steps = rng.uniform(0.05, 1.0, int(rng.integers(1, 9)) * len(epoch))
        lam, Lam = float(rng.normal() * 0.3), float(rng.exponential())
        M = abs(lam) + float(rng.exponential())
        for hessian in ("kept", "batch"):
            every = [
                error_anywhere(steps, epoch, k, 1.3, lam, M, Lam, hessian) for k in range(m + 1)
            ]
            assert error_up_to(steps, epoch, m, 1.3, lam, M, Lam, hessian) == max(every)
            inside += every[-1] < max(every)
    assert inside > 10


def test_batches_of_an_epoch():
    assert batch_sizes(1000, 64).tolist() == [64] * 15 + [40]
    assert batch_sizes(6, 3).tolist() == [3, 3]
    assert math.isclose(batch_sizes(7, 7).sum(), 7)
