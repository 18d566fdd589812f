"""Section 4 of sglu: the numbers of its claims, deterministic, from independent derivations."""

import numpy as np
import pytest

import bounds
from bounds.sglu import figure_3b, figure_3cd
from bounds.sglu.settings import EPSILONS, SIZES

CIFAR, MNIST = SIZES["CIFAR-10"], SIZES["MNIST"]
# Noise of one Langevin unlearning epoch at Table 3's targets.
LANGEVIN = {
    MNIST: (0.204660, 0.102461, 0.020699, 0.010476, 0.005360, 0.002279),
    CIFAR: (0.252993, 0.126662, 0.025593, 0.012956, 0.006632, 0.002823),
}


@pytest.mark.parametrize("n", LANGEVIN)
def test_langevin_noise_lies_between_the_exact_and_the_printed(n):
    formula = bounds.get("sglu.sec4.lu_better")
    inputs = {"n": n, "epsilon": np.array(EPSILONS)}
    np.testing.assert_allclose(formula("langevin", **inputs), LANGEVIN[n], atol=5.1e-7)
    ratio = formula("langevin", **inputs) / formula("tight", **inputs)
    assert ratio.max() == pytest.approx(2.85, abs=0.01)
    assert 1.78 < ratio.min() < 1.81
    assert (formula("langevin", **inputs) < formula("printed", **inputs)).all()


@pytest.mark.parametrize("form", [*figure_3b.TOTALS, "stored"])
@pytest.mark.parametrize("data", SIZES)
def test_totals_of_figure_3b(form, data):
    """Twelve integers each: six batch sizes, two data sets."""
    n = SIZES[data]
    totals = figure_3b.STORED if form == "stored" else figure_3b.TOTALS[form]
    inputs = {"n": n, "S": 100, "sigma": 0.03, "epsilon": 1.0}
    batches = np.array([b or n for b in figure_3b.BATCHES])
    assert figure_3b.statement(form, b=batches, **inputs).tolist() == list(totals[data])


def test_totals_of_the_baselines_by_their_printed_formulas():
    assert figure_3b.baselines("MNIST") == {
        "Descent-to-Delete": 13374,
        "Langevin unlearning": 12757,
    }
    assert figure_3b.baselines("CIFAR-10") == {
        "Descent-to-Delete": 15169,
        "Langevin unlearning": 15461,
    }


@pytest.mark.parametrize("form", ["stored", *figure_3cd.TOTALS])
def test_totals_of_figure_3cd(form):
    stored = form == "stored"
    for (data, b), totals in (figure_3cd.STORED if stored else figure_3cd.TOTALS[form]).items():
        n, sigmas = SIZES[data], figure_3cd.STORED_SIGMAS[0 if stored else 1 :]
        plan = figure_3cd.PLANS[form]
        assert tuple(sum(plan(n, b or n, 100, s, 0.01)) for s in sigmas) == totals


@pytest.mark.parametrize(
    ("form", "b", "most"),
    [("printed", 32, 1), ("printed", 512, 7), ("stored", 512, 7), ("tight", 512, 4)],
)
def test_most_epochs_of_a_request(form, b, most):
    inputs = {"n": CIFAR, "b": b, "S": 100, "sigma": 0.05, "epsilon": 0.01}
    assert float(figure_3cd.statement(form, **inputs)) == most


@pytest.mark.parametrize(
    ("n", "sigma", "ratio"),
    [(MNIST, 0.01, 1.5), (CIFAR, 0.01, 6.1), (MNIST, 1e-3, 18.3), (MNIST, 1e-4, 20.4),
     (MNIST, 1e-6, 21.3), (CIFAR, 0.03, 0.1)],
)  # fmt: skip
def test_epochs_of_langevin_unlearning_over_those_of_corollary_3_8(n, sigma, ratio):
    found = bounds.get("sglu.claim20x")("corrected", n=n, epsilon=1, sigma=sigma)
    assert round(float(found), 1) == ratio


@pytest.mark.parametrize(("c", "K", "value"), [(0.5, 1, 1.75), (0.5, 0, 3.0), (1.0, 1, 3.0)])
def test_distance_before_the_third_request(c, K, value):
    formula = bounds.get("sglu.claim.2s")
    inputs = {"c": c, "J": 1, "K": K, "S": 3, "Z": 1.0, "R": np.inf}
    assert float(formula("tight", **inputs)) == pytest.approx(value, rel=1e-14)
    assert float(formula("printed", S=3, Z=1.0, R=1.0)) == 2.0
