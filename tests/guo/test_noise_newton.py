"""`noise newton-removal`: the exact mechanism, rounding to the safe side, and clear errors."""

import json
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bounds.guo.newton_certificate import SHARP_LOGISTIC, Removal
from bounds.guo.newton_noise import noise_of_removal, noise_of_residual
from forgetproof.cli import run
from simulators.exact.gaussian_divergence import hockey_stick_gauss

WORST = ["--n", "1000", "--removals", "3", "--regularisation", "0.1", "--dimension", "10"]


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
    assert printed["valid"] is False
    assert printed["epsilon"] > 40
    assert exact["valid"] is None
    delta = hockey_stick_gauss(0, 1, 0.1 / exact["sigma"], 1, 20.0)
    assert delta == pytest.approx(1.5 * math.exp(-2), rel=1e-9)
    assert found["accountants"]["corrected"] == exact
    assert found["recommended"] is None
    assert "for every b" in found["conditional_on"]
    assert found["assumptions"]["from_data"] == ["residual"]


def test_worst_case(capsys):
    whole = document(capsys, "--epsilon", "1", "--delta", "1e-5", *WORST)
    found = whole["accountants"]
    gam, m, n, lam = 1 / (6 * math.sqrt(3)), 3, 1000, 0.1
    residual = found["printed"]["details"]["residual"]
    assert residual == pytest.approx(4 * gam * m**2 / (lam**2 * (n - m)))
    tight = 2 * gam * m**2 * (n - m) / (lam * n) ** 2
    assert found["certified"]["details"]["residual"] == pytest.approx(tight, rel=1e-12)
    c = math.sqrt(2 * math.log(1.5e5))
    assert found["printed"]["sigma"] == pytest.approx(c * residual, rel=1e-12)
    assert all(entry["valid"] for entry in found.values())
    assert found["printed"]["sigma"] > found["corrected"]["sigma"] > found["certified"]["sigma"]
    assert whole["recommended"] == "certified"
    assert whole["conditional_on"] is None


def test_certified_by_hand(capsys):
    """The theorem's inequality, solved with many digits, is met with equality."""
    sigma = document(capsys, "--epsilon", "1", "--delta", "1e-5", *WORST)["accountants"][
        "certified"
    ]["sigma"]
    with mpmath.workdps(40):
        gam, m, n, k, lam, C = 1 / (6 * mpmath.sqrt(3)), 3, 1000, 997, mpmath.mpf("0.1"), 1
        delta = mpmath.mpf("1e-5")
        t = mpmath.findroot(lambda t: mpmath.ncdf(-t) - delta / 2 * 31 / 32, 4)
        tail = mpmath.sqrt(10) + mpmath.sqrt(2 * mpmath.log(64 / delta))

        def length(B):
            return gam * k / 2 * (m * (2 * C + B / k) / (lam * n)) ** 2

        B = mpmath.findroot(lambda B: B - length(B) - sigma * tail, sigma * tail)
        D = m * (2 * C + B / k) / (lam * n)
        shift = length(B) / sigma
        loss = shift**2 / 2 + shift * (mpmath.sqrt(2 / mpmath.pi) + t)
        loss -= 2 * mpmath.log(1 - gam * D / lam)
        assert float(loss) == pytest.approx(float(1 - mpmath.log(1 - delta / 2)), rel=1e-9)


def test_nothing_is_recommended_that_is_not_certified(capsys):
    few = ["--n", "5", "--removals", "4", "--regularisation", "0.6087"]
    target = ["--epsilon", "0.1", "--delta", "1.292e-5"]
    assert run(["noise", "newton-removal", *target, *few]) == 2
    assert "dimension must be given" in capsys.readouterr().err
    hopeless = document(capsys, *target, *few, "--dimension", "1")
    assert hopeless["recommended"] is None
    assert {entry["valid"] for entry in hopeless["accountants"].values()} == {None}
    assert hopeless["accountants"]["certified"]["sigma"] == "inf"


def test_noise_of_no_use_is_said_to_be_none(capsys):
    target = ["--epsilon", "1", "--delta", "1e-5"]
    useful = document(capsys, *target, *WORST)
    entry, about = useful["accountants"]["certified"], useful["problem"]
    assert about["radius"] == pytest.approx(10)
    assert entry["details"]["model_shift"] == pytest.approx(entry["sigma"] * math.sqrt(10) / 100)
    assert entry["details"]["practical"]
    vast = [
        *target,
        "--n",
        "57000",
        "--removals",
        "100",
        "--regularisation",
        "0.005",
        "--dimension",
        "785",
    ]
    useless = document(capsys, *vast)
    printed = useless["accountants"]["printed"]
    shift = printed["details"]["model_shift"]
    assert shift == pytest.approx(printed["sigma"] * math.sqrt(785) / 285)
    assert shift > useless["problem"]["radius"]
    assert not printed["details"]["practical"]
    assert run(["noise", "newton-removal", *vast]) == 0
    out = capsys.readouterr().out
    assert "beyond the radius 200 of the models: of NO practical use" in out
    assert "no finite sigma is certified" in out
    assert run(["noise", "newton-removal", *target, *WORST]) == 0
    assert "NO practical use" not in capsys.readouterr().out


def test_the_example_of_the_help_is_finite_and_of_use(capsys):
    run(["noise", "newton-removal", "--help"])
    out = " ".join(capsys.readouterr().out.split())
    assert "must hold for every b" in out
    example = out[out.index("forgetproof noise newton-removal --epsilon") :].partition(" or: ")[0]
    found = document(capsys, *example.split()[3:])
    assert found["accountants"]["certified"]["valid"]
    assert found["accountants"]["certified"]["details"]["practical"]


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
    epsilon=st.floats(0, 50),
    delta=st.floats(1e-12, 0.5),
    n=st.integers(2, 10**6),
    share=st.floats(0, 1),
    lam=st.floats(1e-3, 10),
    p=st.integers(1, 10**4),
)
def test_valid_is_certified_and_nothing_is_nan(epsilon, delta, n, share, lam, p):
    found = noise_of_removal(epsilon, delta, Removal(n, 1 + int(share * (n - 2)), lam, p))
    for entry in found.values():
        assert (entry.valid is True) == (entry.certified_epsilon <= epsilon)
        assert not np.isnan([entry.sigma, entry.residual, entry.certified_epsilon]).any()
    least = found["certified"]
    assert (least.valid is True) == math.isfinite(least.sigma)
    for entry in found.values():
        assert least.sigma <= entry.sigma or not entry.valid


def test_the_default_constant_is_rounded_up():
    with mpmath.workdps(40):
        assert mpmath.mpf(SHARP_LOGISTIC) >= 1 / (6 * mpmath.sqrt(3))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--epsilon", "-1", "--delta", "0.1", "--residual", "1"], "epsilon must be in [0"),
        (["--epsilon", "1", "--delta", "1", "--residual", "1"], "delta must be in (0, 1)"),
        (["--epsilon", "1", "--delta", "0.1", "--residual", "0"], "residual must be > 0"),
        (["--epsilon", "1", "--delta", "0.1"], "n must be given"),
        (["--epsilon", "1", "--delta", "0.1", "--n", "5"], "regularisation must be given"),
        (["--epsilon", "1", "--delta", "0.1", *WORST[:6]], "dimension must be given"),
        (["--epsilon", "1", "--delta", "0.1", "--n", "5", "--residual", "1"], "stand alone"),
        (["--epsilon", "1", "--delta", "0.1", *WORST, "--lipschitz", "-1"], "lipschitz must be"),
        (["--epsilon", "1", "--delta", "0.1", *WORST, "--smoothness", "0"], "smoothness must be"),
        (["--epsilon", "1", "--delta", "0.1", *WORST, "--dimension", "0"], "dimension must be"),
        (
            [
                "--epsilon",
                "1",
                "--delta",
                "0.1",
                "--n",
                "3",
                "--removals",
                "3",
                "--regularisation",
                "1",
                "--dimension",
                "1",
            ],
            "removals must be an integer in [1, 2]",
        ),
    ],
)
def test_bad_input_is_one_line(capsys, arguments, message):
    code = run(["noise", "newton-removal", *arguments])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1
    assert message in err


def test_text_names_what_is_recommended_and_what_it_rests_on(capsys):
    target = ["noise", "newton-removal", "--epsilon", "20", "--delta", "0.2"]
    assert run([*target, "--residual", "1"]) == 0
    out = capsys.readouterr().out
    assert "NOT valid" in out
    assert "recommended" not in out
    assert "conditional on: the residual is at most this for every b" in out
    assert run([*target, *WORST]) == 0
    out = capsys.readouterr().out
    assert "<- recommended" in out
    assert "secret_state" in out
