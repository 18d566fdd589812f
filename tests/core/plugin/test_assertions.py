"""Every assertion passes on a right instance, and fails on a wrong one with its numbers."""

import re

import numpy as np
import pytest

from accounting.curves.gaussian import epsilon_gdp
from forgetproof.testing import (
    assert_bound_holds,
    assert_contraction,
    assert_gdp,
    assert_sensitivity,
    assert_unlearning,
)
from verify.audit import GaussianDP, detectable_mu


def test_a_bound_holds_or_names_the_worst_element():
    assert_bound_holds([1.0, 2.0], 2.0)
    assert_bound_holds(2.0, [1.0, 2.0], relation=">=")
    assert_bound_holds(2.0 * (1 + 1e-10), 2.0, relation="==")
    measured, n = np.array([1.0, 5.0, 3.0]), np.array([10, 20, 30])
    with pytest.raises(AssertionError) as caught:
        assert_bound_holds(measured, 2.0, parameters={"n": n, "eta": 0.5})
    assert str(caught.value) == (
        "measured 5, which must be at most 2\n"
        "parameters  n=20 eta=0.5\n"
        "element     (1,), the worst of 2 that fail of 3"
    )
    with pytest.raises(AssertionError, match=r"measured 1\.000001, which must be exactly 1$"):
        assert_bound_holds(1.000001, 1.0, relation="==")
    with pytest.raises(AssertionError, match="measured 1, which must be at least 2"):
        assert_bound_holds(1.0, 2.0, relation=">=")
    with pytest.raises(AssertionError, match="measured inf, which must be at most 2"):
        assert_bound_holds(np.inf, 2.0)


def test_a_contraction_holds_or_shows_the_pair():
    spectrum = np.array([0.1, 1.0, 3.0])
    points = np.random.default_rng(0).normal(size=(20, 3))

    def step(x, rng):
        return x - 0.5 * spectrum * x + rng.normal(size=3)

    found = assert_contraction(step, 0.95, points)
    assert found.value == pytest.approx(0.95, rel=1e-9)
    assert_contraction(lambda x: x - 0.5 * spectrum * x, 0.95, points)
    with pytest.raises(AssertionError, match=r"by 0\.94999\d*, claimed at most 0\.949\n") as e:
        assert_contraction(step, 0.949, points)
    pair = [np.array(eval(line[12:])) for line in str(e.value).splitlines()[1:3]]
    gap = pair[0] - pair[1]
    ratio = np.linalg.norm(gap - 0.5 * spectrum * gap) / np.linalg.norm(gap)
    assert ratio == pytest.approx(0.95, rel=1e-6)
    with pytest.raises(ValueError, match="c must be >= 0"):
        assert_contraction(step, -1, points)


def test_a_sensitivity_holds_or_shows_the_outputs():
    data = np.array([1.0, 2.0, 3.0, 4.0])
    without = [np.delete(data, i) for i in range(4)]
    assert assert_sensitivity(np.sum, data, without, 4.0).value == pytest.approx(4)
    with pytest.raises(AssertionError, match=r"moves it by (4|3\.99)[\d]*, claimed at most 3\.9"):
        assert_sensitivity(np.sum, data, without, 3.9)

    def step(x, records, rng):
        return x - 0.1 * (x - records.mean()) + rng.normal()

    points = np.array([[0.0], [5.0]])
    moved = 0.1 * (3 - 2.5)
    assert_sensitivity(step, data, without, moved, points=points)
    with pytest.raises(AssertionError, match=r"claimed at most 0\.049"):
        assert_sensitivity(step, data, without, 0.049, points=points)
    with pytest.raises(ValueError, match="neighbours must be at least one"):
        assert_sensitivity(np.sum, data, [], 1.0)
    with pytest.raises(ValueError, match="must be a function"):
        assert_sensitivity(3, data, without, 1.0)


def test_gdp_holds_or_states_limit_level_and_power():
    rng = np.random.default_rng(1)
    p, q = rng.normal(size=20_000), 1 + rng.normal(size=20_000)
    found = assert_gdp(p, q, 1.0)
    at_most = detectable_mu(GaussianDP(1.0), 13_333, confidence=1 - 1e-6, events=9)
    assert found.judged == 13_333
    assert found.mu < 1 < found.detectable_mu <= at_most < 1.5
    assert found.level == pytest.approx(1e-6)
    with pytest.raises(AssertionError) as caught:
        assert_gdp(p, q, 0.5)
    first, event, level, power = str(caught.value).splitlines()
    assert first.startswith("the laws are not 0.5-GDP: mu is at least 0.")
    assert event.startswith("event       probability at most ")
    assert level.startswith("level       1e-06")
    assert power.startswith("power       0.9 against Gaussians 0.")
    assert_gdp(p, q, 0.95, confidence=1 - 1e-6)


def test_too_few_samples_are_no_success_where_power_is_asked_for():
    rng = np.random.default_rng(2)
    p, q = rng.normal(size=200), rng.normal(size=200)
    far = assert_gdp(p, q, 0.1).detectable_mu
    assert_gdp(p, q, 0.1, detects=far * 1.01)
    with pytest.raises(AssertionError, match=r"too few samples to tell: Gaussians 0\.5 apart"):
        assert_gdp(p, q, 0.1, detects=0.5)
    with pytest.raises(AssertionError, match="against no Gaussians, however far apart"):
        assert_gdp(p[:24], q[:24], 1.0, detects=2.0)
    wide = rng.normal(size=(2, 1000, 200))
    assert (
        assert_gdp(*wide, 1.0).detectable_mu > 1.1 * assert_gdp(*wide[:, :, 0], 1.0).detectable_mu
    )
    with pytest.raises(ValueError, match=r"detects must be > 0\.1"):
        assert_gdp(p, q, 0.1, detects=0.1)
    with pytest.raises(ValueError, match="confidence must be"):
        assert_gdp(p, q, 0.1, confidence=1)


DATA = np.array([0.0, 1.0, 2.0, 9.0])


def noisy_mean(sigma):
    """Learning releases the mean; unlearning moves it halfway to the mean of what is kept."""

    def learn(data, rng, trials):
        return np.full(trials, data.mean())

    def unlearn(state, data, request, rng):
        kept = np.delete(data, request).mean()
        return (state + kept) / 2 + sigma * rng.normal(size=state.shape)

    def retrain(data, request, rng, trials):
        return np.delete(data, request).mean() + sigma * rng.normal(size=trials)

    return learn, unlearn, retrain


def test_unlearning_holds_or_ends_with_the_audit():
    # Means 3 and 1: unlearned and retrained outputs are N(2, s^2) and N(1, s^2), mu = 1/s.
    problem = {"data": DATA, "request": 3, "batched": True}
    report = assert_unlearning(*noisy_mean(1.0), mu=1.0, **problem)
    assert report.mu_lower <= 1
    assert_unlearning(*noisy_mean(1.0), 5.0, 1e-3, **problem)
    with pytest.raises(AssertionError) as caught:
        assert_unlearning(*noisy_mean(0.25), 1.0, 1e-5, seed=3, **problem)
    text = str(caught.value)
    assert text.startswith("the claim is refuted by samples\n")
    assert "epsilon = 1, delta = 1e-05" in text
    assert "power        0.9 for Gaussians" in text
    assert "error        1e-06" in text
    assert "10000 trials a law, seed 3" in text
    with pytest.raises(AssertionError, match=r"too few samples to tell: Gaussians 1\.1 apart"):
        assert_unlearning(*noisy_mean(1.0), mu=1.0, detects=1.1, trials=100, **problem)
    with pytest.raises(ValueError, match="exactly one of epsilon, mu and renyi"):
        assert_unlearning(*noisy_mean(1.0), **problem)
    with pytest.raises(ValueError, match=r"learn raised TypeError"):
        assert_unlearning(*noisy_mean(1.0), mu=1.0, data=DATA, request=3)


FAILING = """
import numpy as np
from forgetproof.testing import (
    assert_bound_holds, assert_contraction, assert_gdp, assert_sensitivity,
)

def test_bound():
    assert_bound_holds(2.0, 1.0)

def test_step():
    assert_contraction(lambda x: 2 * x, 1.0, np.eye(3))

def test_data():
    assert_sensitivity(np.sum, np.ones(3), [np.ones(2)], 0.5)

def test_laws():
    p = np.random.default_rng(0).normal(size=2000)
    assert_gdp(p, p + 5, 1.0)
"""


def test_a_failure_shows_the_line_of_the_test_and_not_the_source_of_the_assertion(project):
    run = project({"test_f.py": FAILING}, "-q")
    assert "4 failed" in run.stdout, run.stdout
    assert "test_f.py:8: AssertionError" in run.stdout
    assert "forgetproof/testing" not in run.stdout
    assert "function(*args, **kwargs)" not in run.stdout


def test_what_the_claim_admits_is_no_distance_to_detect():
    setting = {
        "learn": lambda data, rng: rng.normal(),
        "data": None,
        "request": 0,
        "unlearn": lambda state, data, request, rng: state,
        "retrain": lambda data, request, rng: rng.normal(),
    }
    with pytest.raises(ValueError, match=r"detects must be > 1"):
        assert_unlearning(**setting, mu=1.0, trials=100, detects=0.5)


def test_what_a_green_audit_would_have_noticed_is_in_its_result():
    """By default an epsilon of 2 passes for 1: the report says so, and `detects` fails it."""
    problem = {"data": DATA, "request": 3, "batched": True}
    true = float(epsilon_gdp(1 / 2, 1e-5))
    assert true == pytest.approx(2.0, abs=0.05)
    report = assert_unlearning(*noisy_mean(2.0), 1.0, 1e-5, **problem)
    assert true < report.detectable_epsilon < 4
    assert f"a true epsilon of {report.detectable_epsilon:.6g} at delta 1e-05" in str(report)
    said = re.match(r"would notice epsilon >= ([\d.]+) where 1 is claimed, at delta", report.power)
    # Rounded up: less would not be noticed with this power.
    assert report.detectable_epsilon <= float(said[1]) < report.detectable_epsilon + 0.011
    assert report.to_dict()["detectable_epsilon"] == report.detectable_epsilon
    assert_unlearning(*noisy_mean(2.0), 1.0, 1e-5, detects=4.0, **problem)
    with pytest.raises(AssertionError, match=r"a true epsilon of 2 at delta 1e-05 could go unnot"):
        assert_unlearning(*noisy_mean(2.0), 1.0, 1e-5, detects=2.0, **problem)
    with pytest.raises(ValueError, match=r"detects must be > 1"):
        assert_unlearning(*noisy_mean(2.0), 1.0, 1e-5, detects=0.9, **problem)
    # What is said to be noticed is.
    apart = 1 / report.detectable_mu
    with pytest.raises(AssertionError, match="refuted"):
        assert_unlearning(*noisy_mean(apart * 0.98), 1.0, 1e-5, seed=1, **problem)


GREEN = """
import numpy as np
import pytest
from forgetproof.testing import assert_gdp, assert_unlearning

@pytest.mark.parametrize("seed", [0, 1, 2])
def test_green(seed):
    rng = np.random.default_rng(seed)
    assert_gdp(rng.normal(size=600), rng.normal(size=600), 0.1)

def noise(*arguments):
    return arguments[-2].normal(size=arguments[-1])

def unlearn(state, data, request, rng):
    return state

@pytest.mark.parametrize("detects", [None, 3.6])
def test_unlearning(detects):
    assert_unlearning(noise, unlearn, noise, 1.0, 1e-5, data=0, request=0, batched=True,
                      detects=detects)

def test_plain():
    pass
"""


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["alone", "xdist"])
def test_pytest_says_once_what_green_tests_would_have_noticed(project, workers, full):
    if workers and not full:
        pytest.skip("in the full profile")
    run = project({"test_g.py": GREEN}, "-q", *workers, plugins=("xdist",))
    assert "6 passed" in run.stdout, run.stdout
    assert run.stdout.count("what would have been noticed") == 1
    lines = [line for line in run.stdout.splitlines() if "would notice" in line]
    assert len(lines) == 2, run.stdout
    assert lines[0].startswith("test_g.py::test_green[0] and 2 more: would notice epsilon >= ")
    assert "power 0.9, level 1e-06, 400 trials" in lines[0]
    # The same with detects= is silent.
    head = "test_g.py::test_unlearning[None]: would notice epsilon >= "
    assert lines[1].startswith(head)
    epsilon, _, rest = lines[1].removeprefix(head).partition(" ")
    assert 1 < float(epsilon) <= 3.6
    assert rest.startswith("where 1 is claimed, at delta 1e-05; what is between may pass")
