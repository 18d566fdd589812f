"""Section 4 of sglu: the numbers of its claims, deterministic, from independent derivations."""

import numpy as np
import pytest

import bounds
from bounds.sglu.settings import EPSILONS, SIZES

CIFAR, MNIST = SIZES["CIFAR-10"], SIZES["MNIST"]
# (n, b, T) -> 2 R c^{Tn/b} at R = 100, to two digits.
LEFT = {
    (CIFAR, 128, 20): 1.3e-23,
    (CIFAR, CIFAR, 1000): 5.3e-15,
    (CIFAR, 512, 50): 3.6e-14,
    (MNIST, 128, 20): 4.1e-32,
    (MNIST, MNIST, 1000): 1.5e-17,
}
# Noise of one Langevin unlearning epoch at Table 3's targets.
LANGEVIN = {
    MNIST: (0.204660, 0.102461, 0.020699, 0.010476, 0.005360, 0.002279),
    CIFAR: (0.252993, 0.126662, 0.025593, 0.012956, 0.006632, 0.002823),
}


@pytest.mark.parametrize(("setting", "value"), LEFT.items())
def test_burn_in(setting, value):
    n, b, T = setting
    found = float(bounds.get("sglu.sec4.t")("printed", n=n, b=b, T=T, R=100))
    assert found == pytest.approx(value, rel=0.03)


@pytest.mark.parametrize("n", LANGEVIN)
def test_langevin_noise_lies_between_the_exact_and_the_printed(n):
    formula = bounds.get("sglu.sec4.lu_better")
    inputs = {"n": n, "epsilon": np.array(EPSILONS)}
    np.testing.assert_allclose(formula("langevin", **inputs), LANGEVIN[n], atol=5.1e-7)
    ratio = formula("langevin", **inputs) / formula("tight", **inputs)
    assert ratio.max() == pytest.approx(2.85, abs=0.01)
    assert 1.78 < ratio.min() < 1.81
    assert (formula("langevin", **inputs) < formula("printed", **inputs)).all()
