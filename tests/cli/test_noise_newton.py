"""`noise newton-removal`: the exact mechanism, rounding to the safe side, and clear errors."""

import json
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.mini.newton_noise import SHARP_LOGISTIC, Removal, noise_of_removal, noise_of_residual
from forgetproof.cli import run
from simulators.exact.gaussian_divergence import hockey_stick_gauss

WORST = ["--n", "1000", "--removals", "3", "--regularisation", "0.1"]


def document(capsys, *arguments):
    code = run(["noise", "newton-removal", *arguments, "--json"])
    out, err = capsys.readouterr()
    assert code == 0, err
    return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))


def test_measured_residual(capsys):
    found = document(capsys, "--epsilon", "20", "--delta", "1.5*exp(-2)", "--residual", "0.1")
    printed, exact = found["accountants"]["printed"], found["accountants"]["exact"]
    # c = 2: sigma = c residual/epsilon, whose true delta is 0.998 and not 0.203.
    assert printed["sigma"] == pytest.approx(0.01, rel=1e-12)
    assert not printed["valid"]
    assert printed["certified_epsilon"] > 40
    assert exact["valid"]
    delta = hockey_stick_gauss(0, 1, 0.1 / exact["sigma"], 1, 20.0)
    assert delta == pytest.approx(1.5 * math.exp(-2), rel=1e-9)
    assert found["accountants"]["corrected"] == exact
    assert found["recommended"] == "exact"
    assert found["assumptions"]["residual"].startswith("its direction carries nothing of b")


def test_worst_case(capsys):
    found = document(capsys, "--epsilon", "1", "--delta", "1e-5", *WORST)["accountants"]
    gam, m, n, lam = 1 / (6 * math.sqrt(3)), 3, 1000, 0.1
    assert found["printed"]["residual"] == pytest.approx(4 * gam * m**2 / (lam**2 * (n - m)))
    assert found["exact"]["residual"] == pytest.approx(
        2 * gam * m**2 * (n - m) / (lam * n) ** 2, rel=1e-12
    )
    c = math.sqrt(2 * math.log(1.5e5))
    assert found["printed"]["sigma"] == pytest.approx(c * found["printed"]["residual"], rel=1e-12)
    assert all(entry["valid"] for entry in found.values())
    ratio = found["corrected"]["sigma"] / found["exact"]["sigma"]
    assert ratio == pytest.approx(2 * (n / (n - m)) ** 2, rel=1e-12)
    assert found["printed"]["sigma"] > found["corrected"]["sigma"]


def test_counting_b_needs_more_noise(capsys):
    base = ["--epsilon", "1", "--delta", "1e-5", *WORST]
    without = document(capsys, *base)["accountants"]["exact"]
    counted = document(capsys, *base, "--dimension", "10")
    exact = counted["accountants"]["exact"]
    assert exact["sigma"] > without["sigma"]
    assert counted["assumptions"]["b_in_the_residual"] == "counted by exact"
    # By hand: the fixed point residual (1 + growth reach sigma)^2 = mu sigma at delta/2.
    reach = math.sqrt(10) + math.sqrt(2 * (1 + math.log(2e5)))
    length = without["residual"] * (1 + reach * exact["sigma"] / (2 * 997)) ** 2
    assert exact["residual"] == pytest.approx(length, rel=1e-9)
    delta = hockey_stick_gauss(0, 1, length / exact["sigma"], 1, 1.0)
    assert delta == pytest.approx(0.5e-5, rel=1e-7)
    hopeless = document(capsys, *base, "--dimension", "100000000")["accountants"]["exact"]
    assert (hopeless["sigma"], hopeless["valid"]) == ("inf", False)


@given(
    epsilon=st.floats(1e-6, 1e3),
    log_delta=st.floats(-200, -1e-6),
    residual=st.floats(1e-100, 1e100),
)
def test_exact_noise_certifies_and_less_does_not(epsilon, log_delta, residual):
    delta = math.exp(log_delta)
    sigma = noise_of_residual(epsilon, delta, residual)["exact"].sigma
    assert certified(residual / sigma, epsilon) <= delta * (1 + 1e-8)
    assert certified(residual / (sigma * (1 - 1e-6)), epsilon) > delta


def certified(mu, epsilon):
    with mpmath.workdps(60):
        m, e, root = mpmath.mpf(mu), mpmath.mpf(epsilon), mpmath.sqrt(2)
        high = mpmath.erfc((e / m + m / 2) / root) / 2
        return mpmath.erfc((e / m - m / 2) / root) / 2 - mpmath.exp(e) * high


@given(
    epsilon=st.floats(1e-3, 50), delta=st.floats(1e-12, 0.5), n=st.integers(2, 10**6),
    share=st.floats(0, 1), lam=st.floats(1e-3, 10), p=st.integers(1, 10**4),
)  # fmt: skip
def test_accountants_are_ordered_and_never_nan(epsilon, delta, n, share, lam, p):
    m = 1 + int(share * (n - 2))
    plain = noise_of_removal(epsilon, delta, Removal(n, m, lam))
    assert plain["exact"].sigma <= plain["corrected"].sigma
    assert plain["exact"].valid
    assert plain["corrected"].valid
    assert plain["exact"].certified_epsilon <= epsilon
    counted = noise_of_removal(epsilon, delta, Removal(n, m, lam, dimension=p))
    assert counted["exact"].sigma >= plain["exact"].sigma
    assert counted["exact"].valid == math.isfinite(counted["exact"].sigma)
    for entry in (*plain.values(), *counted.values()):
        assert not np.isnan([entry.sigma, entry.residual, entry.certified_epsilon]).any()


def test_the_default_constant_is_rounded_up():
    with mpmath.workdps(40):
        assert mpmath.mpf(SHARP_LOGISTIC) >= 1 / (6 * mpmath.sqrt(3))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--epsilon", "0", "--delta", "0.1", "--residual", "1"], "epsilon must be > 0"),
        (["--epsilon", "1", "--delta", "1", "--residual", "1"], "delta must be in (0, 1)"),
        (["--epsilon", "1", "--delta", "0.1", "--residual", "0"], "residual must be > 0"),
        (["--epsilon", "1", "--delta", "0.1"], "n must be given"),
        (["--epsilon", "1", "--delta", "0.1", "--n", "5"], "regularisation must be given"),
        (["--epsilon", "1", "--delta", "0.1", "--n", "5", "--residual", "1"], "stand alone"),
        (["--epsilon", "1", "--delta", "0.1", *WORST, "--lipschitz", "-1"], "lipschitz must be"),
        (["--epsilon", "1", "--delta", "0.1", *WORST, "--smoothness", "0"], "smoothness must be"),
        (["--epsilon", "1", "--delta", "0.1", *WORST, "--dimension", "0"], "dimension must be"),
        (
            ["--epsilon", "1", "--delta", "0.1", "--n", "3", "--removals", "3",
             "--regularisation", "1"],
            "removals must be an integer in [1, 2]",
        ),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(capsys, arguments, message):
    code = run(["noise", "newton-removal", *arguments])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1
    assert message in err


def test_text_names_the_recommended(capsys):
    assert run(["noise", "newton-removal", "--epsilon", "20", "--delta", "0.2",
                "--residual", "1"]) == 0  # fmt: skip
    out = capsys.readouterr().out
    assert "NOT valid" in out
    assert "<- recommended" in out
    assert "secret_state" in out
