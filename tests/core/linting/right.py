"""Correct settings: events and trainings of dp-accounting's and Opacus' own tests and examples.

Each is (name, where it stands, an event or a training, the claim that is made of it there). Numbers
that a test asserts to a tolerance have it as their rounding.
"""

import math

import dp_accounting as dp
from dp_accounting import gaussian_mechanism
from dp_accounting.rdp import RdpAccountant
from opacus.accountants import PRVAccountant

from forgetproof.linting import of_event

GAUSSIAN = "dp_accounting/gaussian_mechanism_test.py"
PLD = "dp_accounting/pld/pld_privacy_accountant_test.py"
RDP = "dp_accounting/rdp/rdp_privacy_accountant_test.py"
ACCOUNTANTS = "opacus/tests/accountants_test.py"


def gaussian(sigma, count=1):
    return dp.SelfComposedDpEvent(dp.GaussianDpEvent(sigma), count)


def poisson(sigma, rate, count=1):
    return dp.SelfComposedDpEvent(dp.PoissonSampledDpEvent(rate, dp.GaussianDpEvent(sigma)), count)


def events():
    """(name, file, event, claim) from dp-accounting."""
    for sigma in (0.5, 1, 3):
        for delta in (1e-1, 1e-2, 1e-3):
            epsilon = gaussian_mechanism.get_epsilon_gaussian(sigma, delta, tol=1e-15)
            claim = {"epsilon": epsilon, "delta": delta}
            yield f"epsilon of sigma {sigma} at {delta:g}", GAUSSIAN, gaussian(sigma), claim
    for epsilon in (0.1, 1.0, 10.0):
        for delta in (1e-10, 1e-5, 0.1):
            sigma = gaussian_mechanism.get_sigma_gaussian(epsilon, delta, tol=1e-15)
            claim = {"epsilon": epsilon, "delta": delta}
            yield f"sigma of epsilon {epsilon} at {delta:g}", GAUSSIAN, gaussian(sigma), claim
    claim = {"epsilon": 1.0, "delta": 0.126936, "rounding": 1e-3}
    yield "three Gaussians", PLD, gaussian(math.sqrt(3), 3), claim
    several = dp.ComposedDpEvent([poisson(0.5, 0.2), poisson(0.5, 0.2, 2)])
    claim = {"epsilon": 1.0, "delta": 0.15594, "rounding": 1e-3}
    yield "one sampled Gaussian, then two", PLD, several, claim
    yield "three sampled Gaussians", PLD, poisson(0.5, 0.2, 3), claim
    claim = {"epsilon": 1.0, "delta": 1e-6}
    yield "from Renyi divergences", RDP, gaussian(4.530877117), claim | {"rounding": 1e-6}
    order, sigma = 3.14159, 2.71828
    claim = {"order": order, "divergence": order / (2 * sigma**2)}
    yield "one order", RDP, gaussian(sigma), claim
    both = dp.ComposedDpEvent([gaussian(2.71828), gaussian(6.28319)])
    claim = {"order": order, "divergence": order / 2 * (2.71828**-2 + 6.28319**-2)}
    yield "one order of two Gaussians", RDP, both, claim
    event = poisson(2.5, 0.01, 50)
    accountant = RdpAccountant().compose(event)
    claim = {"epsilon": accountant.get_epsilon(1e-5), "delta": 1e-5}
    yield "fifty sampled Gaussians", RDP, event, claim


def trainings():
    """(name, file, history, claim) from Opacus: noise multiplier, sampling rate, steps."""
    claim = {"epsilon": 7.32911117143, "delta": 1e-5}
    yield "test_rdp_accountant", ACCOUNTANTS, (1.5, 0.04, 2250), claim
    claim = {"epsilon": 6.777395712150674, "delta": 1e-5}
    yield "test_prv_accountant", ACCOUNTANTS, (1.5, 0.04, 2249), claim
    for name, multiplier, steps in (
        ("rdp_epochs", 1.416, 2250),
        ("rdp_steps", 1.3562, 2000),
        ("prv_epochs", 1.34765625, 2250),
        ("prv_steps", 1.2915, 2000),
    ):
        claim = {"epsilon": 8.0, "delta": 1e-5, "rounding": 1e-2}
        yield f"test_get_noise_multiplier_{name}", ACCOUNTANTS, (multiplier, 0.04, steps), claim
    history = (1.0, 1 / 938, 9380)
    accountant = PRVAccountant()
    accountant.history = [history]
    claim = {"epsilon": accountant.get_epsilon(1e-5), "delta": 1e-5}
    yield "ten epochs of MNIST", "examples/mnist.py", history, claim


def settings(few=False):
    """Name -> mechanism, all with their claim; or fewer, whose numbers are dear."""
    found = {}
    for name, file, event, claim in events():
        found[f"{file}: {name}"] = of_event(event, claims=[claim])
    for name, file, history, claim in list(trainings())[: 1 if few else None]:
        multiplier, rate, steps = history
        found[f"{file}: {name}"] = of_event(poisson(multiplier, rate, steps), claims=[claim])
    return found
