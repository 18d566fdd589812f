"""Section 4: every integer and every noise that follows from the printed constants."""

import numpy as np
import pytest

import bounds
from bounds.sglu import langevin, settings
from bounds.sglu.request_epochs import epochs

BATCHES = (32, 128, 512, None)
# Figure 3b (epsilon = 1, sigma = 0.03): totals of 100 requests.
TOTALS_3B = {
    ("MNIST", "printed"): (100, 100, 149, 1786),
    ("MNIST", "variance"): (100, 100, 100, 1385),
    ("MNIST", "tight"): (100, 100, 100, 584),
    ("MNIST", "exact"): (100, 100, 100, 361),
    ("MNIST", "released 3b"): (100, 100, 300, 886),
    ("CIFAR-10", "printed"): (100, 100, 200, 2487),
    ("CIFAR-10", "variance"): (100, 100, 166, 1983),
    ("CIFAR-10", "tight"): (100, 100, 100, 762),
    ("CIFAR-10", "exact"): (100, 100, 100, 505),
    ("CIFAR-10", "released 3b"): (100, 200, 350, 1183),
}
# Figures 3c and 3d (epsilon = 0.01): totals at sigma = 0.05, 0.1, 0.2, 0.5, 1.
TOTALS_3C = {
    ("MNIST", 128, "printed"): (200, 200, 200, 100, 100),
    ("MNIST", 512, "printed"): (500, 500, 400, 300, 200),
    ("MNIST", None, "printed"): (9700, 8199, 6698, 4747, 3428),
    ("CIFAR-10", 128, "printed"): (200, 200, 200, 200, 100),
    ("CIFAR-10", 512, "printed"): (700, 600, 500, 400, 300),
    ("CIFAR-10", None, "printed"): (11900, 10100, 8399, 6098, 4595),
    ("MNIST", 512, "exact"): (300, 200, 166, 100, 100),
    ("MNIST", None, "exact"): (4397, 3113, 2088, 1050, 582),
    ("CIFAR-10", 512, "exact"): (400, 300, 200, 100, 100),
    ("CIFAR-10", None, "exact"): (5497, 3994, 2688, 1402, 779),
}
LANGEVIN_SIGMAS = {
    "MNIST": (0.204660, 0.102461, 0.020699, 0.010476, 0.005360, 0.002279),
    "CIFAR-10": (0.252993, 0.126662, 0.025593, 0.012956, 0.006632, 0.002823),
}


@pytest.mark.parametrize(("data", "accountant"), TOTALS_3B)
def test_totals_of_figure_3b(data, accountant):
    n = settings.SIZES[data]
    found = [int(epochs(n, b or n, 0.03, 1.0, 100, accountant).sum()) for b in BATCHES]
    assert tuple(found) == TOTALS_3B[data, accountant]


@pytest.mark.parametrize(("data", "batch", "accountant"), TOTALS_3C)
def test_totals_of_figures_3c_and_3d(data, batch, accountant):
    n = settings.SIZES[data]
    found = [
        int(epochs(n, batch or n, s, 0.01, 100, accountant).sum())
        for s in settings.SEQUENTIAL_SIGMAS
    ]
    assert tuple(found) == TOTALS_3C[data, batch, accountant]


@pytest.mark.parametrize("data", LANGEVIN_SIGMAS)
def test_noise_of_langevin_unlearning(data):
    found = bounds.get("sglu.sec4.lu_better")(
        "printed", n=settings.SIZES[data], epsilon=np.array(settings.EPSILONS)
    )
    np.testing.assert_allclose(found, LANGEVIN_SIGMAS[data], atol=6e-7)


def test_noise_of_langevin_unlearning_is_least_over_the_orders():
    """The printed epsilon at that noise, minimised by another route, is the target."""
    from scipy.optimize import minimize_scalar

    n, epsilon = 11264, 0.7
    k = {name: float(v) for name, v in settings.constants(n, n).items()}
    for K in (0, 1, 30):
        sigma = float(
            langevin.least_sigma(
                *map(np.asarray, (epsilon, 1 / n, k["eta"], k["m"], 1.0, float(n), K, 1.0))
            )
        )
        factor = 4 / (k["m"] * sigma**2 * n**2)

        def at(v, factor=factor, K=K):
            alpha = 1 + np.exp(v)
            decay = np.exp(-k["m"] * k["eta"] * K / alpha)
            return factor * alpha * decay + np.log(n) / (alpha - 1)

        least = minimize_scalar(at, bounds=(0, 15), method="bounded", options={"xatol": 1e-9})
        assert least.fun == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize(("data", "total"), [("MNIST", 12757), ("CIFAR-10", 15461)])
def test_sequential_epochs_of_langevin_unlearning(data, total):
    n = settings.SIZES[data]
    k = {name: float(v) for name, v in settings.constants(n, n).items()}
    spent = langevin.sequence(1.0, 1 / n, 0.03, k["eta"], k["m"], 1.0, n, 10, 10)
    assert sum(spent) == total


def test_exact_noise_of_full_batch_unlearning():
    value = bounds.get("sglu.sec4.lu_better")("tight", n=11264, epsilon=1.0)
    assert float(value) == pytest.approx(0.00509150499992, rel=1e-9)


def test_burn_in_of_table_2():
    """2R c^{TJ} at R = 100, to the two digits of the reference values."""
    formula = bounds.get("sglu.sec4.t")
    for data, batch, left in (
        ("CIFAR-10", 128, 1.3e-23), ("CIFAR-10", None, 5.3e-15),
        ("MNIST", 128, 4.1e-32), ("MNIST", None, 1.5e-17),
    ):  # fmt: skip
        n = settings.SIZES[data]
        k = {name: float(v) for name, v in settings.constants(n, batch or n).items()}
        inputs = {"eta": k["eta"], "m": k["m"], "J": k["J"], "R": 100, "T": settings.BURN_IN[batch]}
        assert float(formula("corrected", **inputs)) == pytest.approx(left, rel=0.04)


def test_twenty_times_is_twice_the_least_order():
    n = 11264
    k = {name: float(v) for name, v in settings.constants(n, n).items()}
    formula = bounds.get("sglu.claim20x")
    inputs = {"epsilon": 1.0, "delta": 1 / n, "eta": k["eta"], "m": k["m"]}
    assert float(formula("printed", **inputs)) == pytest.approx(20.658734156795646, rel=1e-12)
    assert float(formula("corrected", **inputs)) == pytest.approx(21.1167, rel=1e-4)
